#include "gputop/advisor/signs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "advisor/batch_memory.hpp"
#include "advisor/phrase.hpp"
#include "gputop/advisor/metrics.hpp"
#include "gputop/core/format.hpp"

namespace gputop {
namespace {

using Kind = Sign::Kind;

constexpr double kSteady = 0.1;     // a speed that varies less than this is steady,
constexpr double kJumpy = 0.3;      // more than this is not
constexpr double kShort = 5.0 / 6;  // of what was expected: less is bad
constexpr double kStill = 0.25;     // of a leak: memory that grows less counts as stable
constexpr double kHardlyAny = 20;   // percent of the time: an idle memory controller
constexpr double kMebibyte = 1024 * 1024;

Kind low_is_good(double value, double good, double bad) {
  return value < good ? Kind::kGood : value < bad ? Kind::kFair : Kind::kBad;
}

// The mean over the GPUs in use; nullopt without readings.
template <class Get>
Reading<double> mean_of(const Facts& facts, Get get) {
  double sum = 0;
  int count = 0;
  for (const auto* gpu : gpus_in_use(facts)) {
    const Reading<double> value = get(*gpu);
    if (!value) continue;
    sum += *value;
    ++count;
  }
  return count == 0 ? std::nullopt : Reading<double>{sum / count};
}

class SignReader {
 public:
  SignReader(const Facts& facts, const Diagnosis& diagnosis, const AdvisorSettings& settings)
      : facts_(facts), diagnosis_(diagnosis), limits_(settings.thresholds), expected_(settings.expected) {}

  std::vector<Sign> run() {
    const bool ran_out = facts_.end.oom || facts_.end.survived_ooms > 0;
    if (ran_out) say("out_of_memory", Kind::kBad, "ran out of GPU memory");
    if (!facts_.steady) return std::move(all_);
    add_utilization();
    if (const auto& wait = facts_.step.input_wait_share) {
      say("input_wait", low_is_good(wait->value * 100, limits_.input_wait / 2, limits_.input_wait),
          "waits for data " + percent_words(wait->value));
    }
    add_speed();
    for (const auto& expectation : expected_) add_expected(expectation);
    add_memory();
    add_growth();
    add_power();
    add_memory_controller();
    add_temperature();
    add_host();
    if (!ran_out && facts_.has_run && !facts_.gpus.empty()) say("out_of_memory", Kind::kGood, "no out of memory");
    return std::move(all_);
  }

 private:
  void say(const char* about, Kind kind, std::string text) { all_.push_back({kind, std::move(text), about}); }

  [[nodiscard]] bool used_well() const {
    return diagnosis_.utilization && *diagnosis_.utilization * 100 >= limits_.good_utilization;
  }
  [[nodiscard]] bool used_poorly() const {
    return diagnosis_.utilization && *diagnosis_.utilization * 100 < limits_.low_utilization;
  }

  void add_utilization() {
    if (!diagnosis_.utilization) return;
    const auto good = number_words(limits_.good_utilization);
    say("utilization",
        used_well()     ? Kind::kGood
        : used_poorly() ? Kind::kBad
                        : Kind::kFair,
        percent_words(*diagnosis_.utilization) + " busy" + (used_well() ? "" : " (good: " + good + "–100)"));
  }

  // Low memory use is bad only if the GPU also has time left.
  void add_memory() {
    const auto memory = BatchMemory::of(facts_, limits_);
    if (!memory) return;
    const double percent = memory->used() / memory->total() * 100;
    const bool low = percent < limits_.low_memory;
    const bool full = percent >= limits_.memory_pressure && growth().value_or(limits_.memory_leak) >= still();
    const Kind kind = low    ? (used_well() || !diagnosis_.utilization ? Kind::kFair : Kind::kBad)
                      : full ? Kind::kFair
                             : Kind::kGood;
    std::string text = "memory " + format_bytes(memory->used()) + " of " + format_bytes(memory->total()) + " (" +
                       percent_words(percent / 100);
    if (low) text += "; good: " + number_words(limits_.low_memory) + "–" + number_words(limits_.memory_pressure);
    say("memory", kind, text + (full ? ", nearly full)" : ")"));
  }

  [[nodiscard]] double still() const { return limits_.memory_leak * kStill; }
  // MiB in ten minutes, of the GPU that grows most; unknown while caches may still fill.
  [[nodiscard]] Reading<double> growth() const {
    if (!facts_.has_run || to_seconds(facts_.age) < limits_.leak_age) return std::nullopt;
    Reading<double> most;
    for (const auto* gpu : gpus_in_use(facts_)) {
      if (gpu->memory_slope) most = std::max(most.value_or(-HUGE_VAL), *gpu->memory_slope * 600 / kMebibyte);
    }
    return most;
  }

  void add_growth() {
    const auto grown = growth();
    if (!grown) return;
    const auto kind = low_is_good(*grown, still(), limits_.memory_leak);
    say("memory_growth", kind,
        kind == Kind::kGood ? "memory stable" : "memory grows by " + format_number(*grown, 0) + " MiB in ten minutes");
  }

  void add_power() {
    const auto watts = mean_of(
        facts_, [](const GpuFacts& gpu) { return gpu.power ? Reading<double>{gpu.power->value()} : std::nullopt; });
    const auto share = mean_of(facts_, [](const GpuFacts& gpu) { return gpu.power_share; });
    if (!watts) return;
    auto text = "power " + format_number(*watts, 0) + " W";
    if (!share) {  // the board's limit is unknown: low power alone is enough
      if (used_poorly()) say("power", Kind::kBad, text + ": low, the GPU is not heavily used");
      return;
    }
    const double percent = *share * 100;
    const bool low = percent < limits_.low_power && !used_well();
    text += " (" + percent_words(*share) + " of its limit)" + (low ? ": low, the GPU is not heavily used" : "");
    say("power", percent >= limits_.good_power ? Kind::kGood : low ? Kind::kBad : Kind::kFair, std::move(text));
  }

  // Compute-heavy work on little data hardly uses it: a high value is a good sign, a low one is bad only if everything
  // is low.
  void add_memory_controller() {
    const auto busy = mean_of(facts_, [](const GpuFacts& gpu) {
      return gpu.memory_busy ? Reading<double>{gpu.memory_busy->value()} : std::nullopt;
    });
    if (!busy) return;
    const Kind kind = *busy >= limits_.good_memory_busy     ? Kind::kGood
                      : used_poorly() && *busy < kHardlyAny ? Kind::kBad
                                                            : Kind::kFair;
    say("memory_controller", kind, "memory controller " + percent_words(*busy / 100) + " busy");
  }

  void add_temperature() {
    const GpuFacts* hottest = nullptr;
    for (const auto* gpu : gpus_in_use(facts_)) {
      if (gpu->temperature && (hottest == nullptr || *gpu->temperature > *hottest->temperature)) hottest = gpu;
    }
    if (hottest == nullptr) return;
    const bool hot = hottest->temperature->value() >= limits_.temperature;
    const auto whose = facts_.gpus.size() > 1 ? gpus_in_words(facts_, {hottest}) + " at " : std::string{};
    say("temperature", hot ? Kind::kBad : Kind::kGood,
        whose + format_number(hottest->temperature->value(), 0) + " °C" + (hot ? " (good: below " + number_words(limits_.temperature) + ")" : ""));
  }

  void add_speed() {
    const auto& step = facts_.step;
    if (step.rate_spread) {
      const double spread = step.rate_spread->value;
      const auto kind = low_is_good(spread, kSteady, kJumpy);
      say("steady_speed", kind,
          (kind == Kind::kGood ? "steady speed (± " : "speed moves by ± ") + percent_words(spread / 2) +
              (kind == Kind::kGood ? ")" : ""));
    }
    const bool samples = step.early_samples_per_second && step.samples_per_second;
    const auto& early = samples ? step.early_samples_per_second : step.early_steps_per_second;
    const auto& now = samples ? step.samples_per_second : step.steps_per_second;
    if (!early || !now || early->value <= 0) return;
    const double lost = 1 - now->value / early->value;
    const auto kind = low_is_good(lost * 100, limits_.slowdown / 2, limits_.slowdown);
    say("slowdown", kind,
        kind == Kind::kGood ? "as fast as at the start" : percent_words(lost) + " slower than at the start");
  }

  void add_expected(const Expectation& expectation) {
    const auto* metric = find_metric(expectation.metric);
    const auto value = metric ? metric->read(facts_, diagnosis_) : std::nullopt;
    if (!value) return;
    const Kind kind = *value >= expectation.low && *value <= expectation.high ? Kind::kGood
                      : *value < expectation.low * kShort                     ? Kind::kBad
                                                                              : Kind::kFair;
    say(metric->name.data(), kind,
        number_words(*value) + " " + std::string{metric->unit.empty() ? metric->name : metric->unit} + " (expected " +
            (std::isfinite(expectation.high) ? number_words(expectation.low) + "–" + number_words(expectation.high)
                                             : "at least " + number_words(expectation.low)) +
            ")" + (kind == Kind::kBad && metric->name.ends_with("_per_second") ? ": look at the data loading" : ""));
  }

  // A machine that responds late: every core is busy and tasks wait.
  void add_host() {
    const auto& host = facts_.host;
    if (!facts_.has_run || !host.cpu) return;
    const bool full = host.cpu->value() >= limits_.cpu_full;
    const bool queue = host.cpu_pressure && host.cpu_pressure->value() >= limits_.cpu_pressure;
    auto text = "host CPU " + percent_words(host.cpu->value() / 100);
    if (full && queue) text += ": overrun, tasks wait " + percent_words(host.cpu_pressure->value() / 100);
    say("host", full && queue ? Kind::kBad : full ? Kind::kFair : Kind::kGood, std::move(text));
  }

  const Facts& facts_;
  const Diagnosis& diagnosis_;
  const Thresholds& limits_;
  const std::vector<Expectation>& expected_;
  std::vector<Sign> all_;
};

}  // namespace

std::string_view to_string(Kind kind) {
  static constexpr std::array<std::string_view, 3> kNames{"good", "fair", "bad"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string_view mark_of(Kind kind) {
  static constexpr std::array<std::string_view, 3> kMarks{"✓", "·", "✗"};
  return kMarks.at(static_cast<std::size_t>(kind));
}

std::vector<Sign> signs(const Facts& facts, const Diagnosis& diagnosis, const AdvisorSettings& settings) {
  return SignReader{facts, diagnosis, settings}.run();
}

}  // namespace gputop
