// shm_exhausted — the loader's workers pass batches through /dev/shm, which is too small for them.
#include <algorithm>

#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "gputop/core/format.hpp"

namespace gputop::rules {

std::optional<Finding> shm_exhausted(const Situation& s) {
  const auto& host = s.facts.host;
  const bool died = s.facts.end.kind == EndKind::kShmExhausted;
  const bool known = host.shm_used && host.shm_total && host.shm_total->value() > 0;
  const double used = known ? *host.shm_used / *host.shm_total * 100 : 0;
  if (!died && !(known && s.above(used, s.limits.shm))) return std::nullopt;

  Finding finding{.id = "shm_exhausted", .severity = died ? Severity::kError : Severity::kWarning};
  finding.title = died ? "Out of shared memory" : "Shared memory is nearly full";
  finding.why = died ? "A worker died because /dev/shm was full" : "/dev/shm is " + percent_words(used / 100) + " full";
  if (host.shm_total) finding.why += " (" + format_bytes(*host.shm_total) + " there)";
  if (known) finding.evidence.push_back({"shm", used, "%", s.limits.shm});
  if (host.shm_total) finding.evidence.push_back({"shm_total", static_cast<double>(host.shm_total->value()), "bytes"});
  if (const auto workers = s.model.workers(); workers && *workers > 0) {
    finding.evidence.push_back({"workers", static_cast<double>(*workers), ""});
    finding.changes.push_back({"workers", std::to_string(*workers), std::to_string(*workers / 2)});
  }
  if (s.facts.settings.prefetch && s.facts.settings.prefetch->value > 2) {
    finding.changes.push_back({"prefetch", std::to_string(s.facts.settings.prefetch->value), "2"});
  }
  finding.action = "give the container more: docker run --shm-size=8g (or --ipc=host)";
  finding.risk.what = "fewer workers may make the GPU wait for data; a larger /dev/shm has no such price";
  finding.confidence = died ? 0.95 : 0.7;
  return finding;
}

}  // namespace gputop::rules
