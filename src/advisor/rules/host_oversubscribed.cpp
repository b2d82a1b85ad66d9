// host_oversubscribed — workers and threads compete for the cores, and the process that feeds the GPU loses.
#include <algorithm>
#include <cmath>

#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "advisor/worker_plan.hpp"
#include "gputop/core/saturate.hpp"

namespace gputop::rules {

std::optional<Finding> host_oversubscribed(const Situation& s) {
  const auto& host = s.facts.host;
  const auto cores = cores_per_rank(s.facts);
  const auto workers = s.model.workers();
  if (!cores || (!s.diagnosis.utilization && !s.facts.gpus.empty())) return std::nullopt;
  if (s.diagnosis.utilization && *s.diagnosis.utilization * 100 >= s.limits.busy)
    return std::nullopt;  // the GPU is not affected
  const bool full =
      s.above(host.cpu, s.limits.cpu_full) && (s.above(host.cpu_pressure, s.limits.cpu_pressure) || !host.cpu_pressure);
  const bool held_back = s.above(host.quota_throttled, s.limits.quota_throttled);
  const auto& threads = s.facts.settings.threads;
  // Each worker computes with one thread; the training process with OMP_NUM_THREADS.
  const double busy = workers && !workers_rest(s, *workers, *cores) ? *workers : 0;
  const double wanted = busy + (threads ? threads->value : 1.0);
  const bool too_many = wanted > *cores;
  if (!(full || held_back) || !too_many) return std::nullopt;

  Finding finding{.id = "host_oversubscribed",
                  .severity = Severity::kWarning,
                  .title = "Workers and threads compete for the cores"};
  finding.why = number_words(wanted) + " workers and threads want " + number_words(*cores) + " usable cores";
  if (host.cpu) finding.why += ", which are " + percent_words(host.cpu->value() / 100) + " busy";
  if (s.diagnosis.utilization)
    finding.why += ", and the GPU is " + percent_words(*s.diagnosis.utilization) + " busy";
  finding.evidence.push_back({"usable_cores", *cores, ""});
  if (workers) finding.evidence.push_back({"workers", static_cast<double>(*workers), ""});
  if (threads) finding.evidence.push_back({"threads", static_cast<double>(threads->value), ""});
  if (host.cpu) finding.evidence.push_back({"host_cpu", host.cpu->value(), "%", s.limits.cpu_full});
  if (host.cpu_pressure)
    finding.evidence.push_back({"cpu_pressure", host.cpu_pressure->value(), "%", s.limits.cpu_pressure});
  if (host.quota_throttled) {
    finding.evidence.push_back({"quota_throttled", host.quota_throttled->value(), "%", s.limits.quota_throttled});
  }
  const auto room = most_workers(s, *cores);
  if (workers && *workers > room)
    finding.changes.push_back({"workers", std::to_string(*workers), std::to_string(room)});
  if (threads && threads->value > 1) {
    const auto left = *cores - std::min(workers.value_or(0), room);
    const auto to = saturate<unsigned>(std::max(1.0, left));
    if (to < threads->value)
      finding.changes.push_back({"OMP_NUM_THREADS", std::to_string(threads->value), std::to_string(to)});
  }
  if (finding.changes.empty()) return std::nullopt;
  finding.speedup = Speedup{1.0, std::clamp(wanted / *cores * 1.1, 1.1, 4.0)};
  finding.risk.low = true;
  finding.confidence = 0.7;
  finding.action = "give the container more CPUs if possible";
  return finding;
}

}  // namespace gputop::rules
