// host_oom — the kernel killed something for lack of host memory, or is about to.
#include <algorithm>

#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "gputop/core/format.hpp"

namespace gputop::rules {

std::optional<Finding> host_oom(const Situation& s) {
  const auto& host = s.facts.host;
  const bool died = s.facts.end.kind == EndKind::kHostOom;
  const bool killed = host.oom_kills > 0;
  const bool known = host.memory_used && host.memory_total && host.memory_total->value() > 0;
  const double used = known ? *host.memory_used / *host.memory_total * 100 : 0;
  if (!died && !killed && !(known && s.above(used, s.limits.host_memory))) return std::nullopt;

  Finding finding{.id = "host_oom", .severity = died || killed ? Severity::kError : Severity::kWarning};
  finding.title = died     ? "Out of host memory"
                  : killed ? "The kernel killed a process for lack of memory"
                           : "Host memory is nearly full";
  if (died && !s.facts.end.detail.empty()) {
    finding.why = s.facts.end.detail;
  } else if (known) {
    finding.why =
        format_bytes(*host.memory_used) + " of " + format_bytes(*host.memory_total) + " host memory are in use";
  } else {
    finding.why = "The host's memory was too small for the run";
  }
  if (known) finding.evidence.push_back({"host_memory", used, "%", s.limits.host_memory});
  if (killed) finding.evidence.push_back({"oom_kills", static_cast<double>(host.oom_kills), ""});
  if (host.swap_used) finding.evidence.push_back({"swap_used", static_cast<double>(host.swap_used->value()), "bytes"});
  if (const auto workers = s.model.workers(); workers && *workers > 1) {
    finding.changes.push_back({"workers", std::to_string(*workers), std::to_string(std::max(1U, *workers / 2))});
  }
  if (s.facts.settings.prefetch && s.facts.settings.prefetch->value > 2) {
    finding.changes.push_back({"prefetch", std::to_string(s.facts.settings.prefetch->value), "2"});
  }
  finding.action =
      "every worker holds its own copy of what the dataset keeps in Python objects: keep it in arrays or on disk, "
      "or give the container more memory";
  finding.risk.what = "fewer workers may make the GPU wait for data";
  finding.confidence = died || killed ? 0.9 : 0.6;
  return finding;
}

}  // namespace gputop::rules
