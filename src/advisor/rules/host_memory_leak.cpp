// host_memory_leak — the host memory of the run's processes grows without end.
#include "advisor/leak.hpp"
#include "gputop/core/format.hpp"

namespace gputop::rules {

std::optional<Finding> host_memory_leak(const Situation& s) {
  const auto& host = s.facts.host;
  Reading<Bytes> left;
  if (host.memory_total && host.memory_used && *host.memory_used < *host.memory_total)
    left = *host.memory_total - *host.memory_used;
  const auto found = leak(s, host.memory_slope, left, s.limits.host_memory_leak);
  if (!found) return std::nullopt;
  Finding finding{
      .id = "host_memory_leak", .severity = Severity::kWarning, .title = "The run's host memory grows without end"};
  finding.why = "The run's processes grow by " + format_number(found->mib_in_ten_minutes, 0) + " MiB in ten minutes" +
                full_in_words(*found);
  finding.evidence.push_back({"host_memory_growth", found->mib_in_ten_minutes, "MiB/10min", s.limits.host_memory_leak});
  if (found->full_in) finding.evidence.push_back({"full_in", to_seconds(*found->full_in), "s"});
  finding.action =
      "workers that touch Python objects of the dataset copy them page by page: keep large tables in arrays; look for "
      "lists that grow";
  finding.confidence = 0.65;
  return finding;
}

}  // namespace gputop::rules
