// slowdown — the run is clearly slower than shortly after its start.
#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"

namespace gputop::rules {

std::optional<Finding> slowdown(const Situation& s) {
  const auto& step = s.facts.step;
  const bool samples = step.samples_per_second && step.early_samples_per_second;
  const auto& now = samples ? step.samples_per_second : step.steps_per_second;
  const auto& early = samples ? step.early_samples_per_second : step.early_steps_per_second;
  const std::string unit = samples ? "samples/s" : "it/s";
  if (!now || !early || early->value <= 0 || s.facts.in_validation) return std::nullopt;
  const double lost = (1 - now->value / early->value) * 100;
  if (!s.above(lost, s.limits.slowdown)) return std::nullopt;

  Finding finding{.id = "slowdown", .severity = Severity::kWarning, .title = "The run has become slower"};
  finding.why = number_words(now->value) + " " + unit + " now, " + number_words(early->value) +
                " early on: " + percent_words(lost / 100) + " slower";
  finding.evidence = {{samples ? "samples_per_second" : "steps_per_second", now->value, unit},
                      {samples ? "early_samples_per_second" : "early_steps_per_second", early->value, unit},
                      {"slowdown", lost, "%", s.limits.slowdown}};
  if (s.facts.host.memory_pressure && s.facts.host.memory_pressure->value() >= 10) {
    finding.action = "the host is short of memory, so files drop out of its cache and are read again";
  } else if (s.diagnosis.bottleneck == StepPart::kInputWait) {
    finding.action = "it waits for data now: look at what else uses the disk or the cores";
  } else {
    finding.action =
        "look for growing lists, logging and hooks that cost more with every step, and for others on this machine";
  }
  finding.speedup = Speedup{1.0, early->value / std::max(now->value, early->value * 0.1)};
  finding.confidence = 0.7;
  return finding;
}

}  // namespace gputop::rules
