// How well the run uses its GPUs: MFU, energy, cost. FLOPs are those of one rank, and so is the peak.
#include <algorithm>

#include "app/facts/parts.hpp"
#include "app/gpu_processes.hpp"

namespace gputop::facts {
namespace {

struct Peak {
  Reading<double> rate;
  const char* name = "";
};

// The peak for the precision of the run's matrix products.
Peak peak_of(const Calibration& card, const SettingFacts& settings) {
  const auto precision = settings.precision ? settings.precision->value : Precision::kFp32;
  const bool tf32 = precision == Precision::kTf32 || (settings.tf32 && settings.tf32->value);
  switch (precision) {
    case Precision::kAmpFp16: return {card.fp16, "fp16"};
    case Precision::kAmpBf16:
    case Precision::kBf16: return {card.bf16, "bf16"};
    case Precision::kFp32:
    case Precision::kTf32: break;
  }
  return tf32 ? Peak{card.tf32, "tf32"} : Peak{card.fp32, "fp32"};
}

// Now, or just before the run ended.
bool is_of_run(const Gathering& gathering, const GpuFacts& gpu) {
  const auto& tracks = gathering.model.gpus;
  return gpu.used_by_run || std::any_of(tracks.begin(), tracks.end(), [&](const GpuTrack& track) {
           return track.now.index == gpu.index && track.of_run.used;
         });
}

void add_flops(Gathering& gathering, const LensProcess& process) {
  auto& efficiency = gathering.facts.efficiency;
  if (!process.flops) return;
  const auto& [said, at] = *process.flops;
  auto set = [&, when = at](const char* name, auto& fact, auto value) { gathering.take(name, fact, value, kLens, when); };
  const auto rate = optimizer_rate(gathering.facts, process);
  if (rate && said.operations) set("operations_per_second", efficiency.operations_per_second, static_cast<double>(*said.operations) * *rate);
  // Counting slowed the step itself down; the optimizer's part was not slower.
  if (said.optimizer && said.before && *said.before > 0)
    set("optimizer_share", efficiency.optimizer_share, std::min(1.0, *said.optimizer / *said.before));
  if (!process.optimizers.empty()) {
    const auto& optimizer = process.optimizers.back().value;
    if (optimizer.foreach || optimizer.fused)
      set("optimizer_slow_path", efficiency.optimizer_slow_path,
          !optimizer.fused.value_or(false) && !optimizer.foreach.value_or(true));
  }
  if (!said.flops || *said.flops <= 0) return;
  set("flops_per_step", efficiency.step_flops, *said.flops);
  set("flops_by", efficiency.flops_by, said.how);
  if (rate) set("flops_per_second", efficiency.flops_per_second, *said.flops * *rate);
}

void add_peak(Gathering& gathering, const GpuFacts* gpu) {
  auto& facts = gathering.facts;
  auto& efficiency = facts.efficiency;
  const auto& assumed = gathering.model.cards.assumed_peak;
  const auto set = [&](const Reading<double>& rate, const std::string& by) {
    if (!rate || *rate <= 0 || efficiency.peak) return;
    efficiency.peak = Fact<double>{*rate, FactSource::kWritten, facts.now};
    efficiency.peak_by = Fact<std::string>{by, FactSource::kWritten, facts.now};
  };
  set(assumed, "given");
  if (gpu != nullptr) {
    const auto nominal = peak_of(gpu->nominal, facts.settings);
    const auto measured = peak_of(gpu->measured, facts.settings);
    set(nominal.rate, gpu->kind + ", " + nominal.name);
    set(measured.rate, std::string{"calibrated, "} + measured.name);
    const auto& now = efficiency.flops_per_second;
    if (now && measured.rate && *measured.rate > 0)
      efficiency.calibrated_share = Fact<double>{now->value / *measured.rate, FactSource::kObserved, now->at};
  }
  if (efficiency.peak && efficiency.flops_per_second) {
    const auto& now = *efficiency.flops_per_second;
    efficiency.mfu = Fact<double>{now.value / efficiency.peak->value, now.source, now.at};
  }
}

void add_energy(Gathering& gathering) {
  auto& [model, facts, take, from] = gathering;
  auto& efficiency = facts.efficiency;
  Reading<double> joules;
  Reading<double> watts;
  unsigned used = 0;
  for (std::size_t i = 0; i < facts.gpus.size() && i < model.gpus.size(); ++i) {
    if (!is_of_run(gathering, facts.gpus[i])) continue;
    const auto& track = model.gpus[i];
    ++used;
    if (track.totals.power_at) joules = joules.value_or(0) + track.of_run.energy(track.totals).value();
    if (facts.gpus[i].power) watts = watts.value_or(0) + facts.gpus[i].power->value();
  }
  const auto seen = [now = facts.now](double value) { return Fact<double>{value, FactSource::kObserved, now}; };
  if (joules) efficiency.energy = seen(*joules / 3600);
  const auto& speed = facts.step.samples_per_second;
  if (watts && speed && speed->value > 0) efficiency.energy_per_1000 = seen(*watts / speed->value * 1000 / 3600);
  const auto& cards = model.cards;
  Reading<double> cost;
  if (cards.price_per_kwh && joules) cost = *cards.price_per_kwh * *joules / 3.6e6;
  if (cards.price_per_hour && used > 0)
    cost = cost.value_or(0) + *cards.price_per_hour * used * to_seconds(facts.age) / 3600;
  if (cost) efficiency.cost = seen(*cost);
}

}  // namespace

const GpuFacts* gpu_of(const Gathering& gathering, const LensProcess* process) {
  const auto& gpus = gathering.facts.gpus;
  if (process && process->environment) {
    for (const auto& track : gathering.model.gpus) {
      if (!is_device_of(process->environment->value, track.now)) continue;
      for (const auto& gpu : gpus) {
        if (gpu.index == track.now.index) return &gpu;
      }
    }
  }
  const auto used = std::find_if(gpus.begin(), gpus.end(), [&](const auto& gpu) { return is_of_run(gathering, gpu); });
  return used == gpus.end() ? nullptr : &*used;
}

Reading<double> optimizer_rate(const Facts& facts, const LensProcess& process) {
  if (!facts.step.steps_per_second || facts.step.steps_per_second->source != kLens || process.ticks.empty()) return std::nullopt;
  const double passes = process.ticks.back().value.backwards_per_step.value_or(1);
  return passes > 0 ? Reading<double>{facts.step.steps_per_second->value / passes} : std::nullopt;
}

void add_efficiency(Gathering& gathering, const LensProcess* process) {
  for (auto& gpu : gathering.facts.gpus) {
    for (const auto& card : gathering.model.cards.cards) {
      if (card.gpu != gpu.index) continue;
      gpu.kind = card.kind;
      gpu.nominal = card.nominal;
      gpu.measured = card.measured;
    }
  }
  if (!gathering.facts.has_run) return;
  if (process) add_flops(gathering, *process);
  add_peak(gathering, gpu_of(gathering, process));
  add_energy(gathering);
}

}  // namespace gputop::facts
