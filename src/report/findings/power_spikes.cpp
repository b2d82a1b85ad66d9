#include "gputop/report/power_spikes.hpp"

#include <algorithm>
#include <map>

#include "gputop/core/format.hpp"

namespace gputop {
namespace {

constexpr std::size_t kEnough = 4;  // readings
constexpr double kFarAbove = 3;     // times the highest of the others
constexpr double kStep = 150;       // W, and at least this much higher: small boards fluctuate
constexpr double kMoreWork = 15;    // percent above the usual: it was working
constexpr double kWarmer = 3;       // °C above the reading before
constexpr std::size_t kMostSpikes = 5;

struct Drawn {
  Instant at;
  GpuReading* gpu = nullptr;
};

// The highest believable reading: others are below it, a few far above. nullopt: no reading stands out.
Reading<double> believed_top(const std::vector<Drawn>& readings) {
  std::vector<double> powers;
  for (const auto& reading : readings) powers.push_back(reading.gpu->power->value());
  std::sort(powers.begin(), powers.end());
  const auto most = std::min(kMostSpikes, 1 + powers.size() / 50);
  for (std::size_t spikes = 1; spikes <= most && spikes < powers.size(); ++spikes) {
    const double above = powers[powers.size() - spikes];
    const double below = powers[powers.size() - spikes - 1];
    if (above > below * kFarAbove && above > below + kStep) return below;
  }
  return std::nullopt;
}

double usual_work(const std::vector<Drawn>& readings) {
  std::vector<double> work;
  for (const auto& reading : readings) {
    if (reading.gpu->utilization) work.push_back(reading.gpu->utilization->value());
  }
  if (work.empty()) return 100;
  const auto middle = work.begin() + static_cast<std::ptrdiff_t>(work.size() / 2);
  std::nth_element(work.begin(), middle, work.end());
  return *middle;
}

// It works, gets warmer, or keeps drawing as much: the reading is true.
bool is_explained(const std::vector<Drawn>& readings, std::size_t i, double top, double usual) {
  const auto works = [&](std::size_t k) {
    const auto& work = readings[k].gpu->utilization;
    return work && work->value() >= usual + kMoreWork;
  };
  if (works(i) || (i + 1 < readings.size() && works(i + 1))) return true;
  const auto high = [&](std::size_t k) { return readings[k].gpu->power->value() > top; };
  if ((i > 0 && high(i - 1)) || (i + 1 < readings.size() && high(i + 1))) return true;
  const auto& before = i > 0 ? readings[i - 1].gpu->temperature : std::nullopt;
  const auto& now = readings[i].gpu->temperature;
  return before && now && now->value() >= before->value() + kWarmer;
}

void find_spikes(const std::vector<Drawn>& readings, std::vector<FoundSensorError>& found) {
  if (readings.size() < kEnough) return;
  const auto top = believed_top(readings);
  if (!top) return;
  const double usual = usual_work(readings);
  std::vector<std::size_t> spikes;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (readings[i].gpu->power->value() > *top && !is_explained(readings, i, *top, usual)) spikes.push_back(i);
  }
  for (const auto i : spikes) {
    auto& gpu = *readings[i].gpu;
    const auto text = "power " + format_reading(gpu.power, " W") + " is far above everything else this board drew (" +
                      format_reading(Reading<Watts>{Watts{*top}}, " W") + " at most): sensor error";
    gpu.error += (gpu.error.empty() ? "" : "; ") + text;
    gpu.power.reset();
    found.push_back({readings[i].at, gpu.index, "power", text});
  }
}

}  // namespace

std::vector<FoundSensorError> take_out_power_spikes(std::vector<Event>& events) {
  std::map<unsigned, std::vector<Drawn>> boards;
  for (auto& event : events) {
    auto* sampled = std::get_if<GpusSampled>(&event.payload);
    if (!sampled) continue;
    for (auto& gpu : sampled->gpus) {
      if (gpu.power && !gpu.power_limit && !gpu.max_power_limit && sensor_errors(gpu).empty())
        boards[gpu.index].push_back({event.at, &gpu});
    }
  }
  std::vector<FoundSensorError> found;
  for (const auto& [_, readings] : boards) find_spikes(readings, found);
  return found;
}

}  // namespace gputop
