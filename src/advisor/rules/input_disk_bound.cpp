// input_disk_bound — the GPU waits because the loader waits for what it reads: the disk, where that is seen, else something slow.
#include <algorithm>

#include "advisor/phrase.hpp"
#include "advisor/situation.hpp"
#include "advisor/worker_plan.hpp"
#include "gputop/core/format.hpp"

namespace gputop::rules {
namespace {

constexpr double kDiskFull = 0.7;  // up to this share of its time, a disk serves more readers at the same speed

// Whether a disk of this machine is at work for somebody who waits. A loader that hardly computes may wait for a network, too.
bool disk_is_seen(const Facts& facts, const Thresholds& limits) {
  const auto& host = facts.host;
  return (facts.tree.worker_disk_share && *facts.tree.worker_disk_share * 100 >= limits.worker_disk / 2) ||
         (host.io_wait && host.io_wait->value() >= limits.io_pressure / 2) ||
         (host.io_pressure && host.io_pressure->value() >= limits.io_pressure / 2) ||
         (host.disk_busy && host.disk_busy->value() >= limits.disk_busy / 2);
}

}  // namespace

std::optional<Finding> input_disk_bound(const Situation& s) {
  const double wait = s.percent(StepPart::kInputWait);
  if (!s.above(wait, s.limits.input_wait) || s.diagnosis.input_limit != InputLimit::kDisk) return std::nullopt;
  if (s.diagnosis.bottleneck != StepPart::kInputWait && !s.shown) return std::nullopt;

  const bool on_disk = disk_is_seen(s.facts, s.limits);
  Finding finding{.id = "input_disk_bound",
                  .severity = Severity::kWarning,
                  .title = std::string{who_waits_first(s.facts)} + (on_disk ? " waits for the disk" : " waits for slow reads")};
  finding.why = std::string{who_waits_first(s.facts)} + " waits " + percent_words(wait / 100) + " of the time for data " +
                (on_disk ? "that is read from disk"
                         : "whose reading takes long: from a disk, over a network, or in the dataset's own code");
  finding.evidence.push_back({"input_wait", wait, "%", s.limits.input_wait});
  const auto& host = s.facts.host;
  if (const auto& share = s.facts.step.fetch_cpu_share) {
    finding.evidence.push_back({"fetch_cpu", share->value * 100, "%", s.limits.cpu_bound_fetch});
    finding.why += "; loading computes only " + percent_words(share->value) + " of its time";
  }
  if (s.facts.tree.worker_disk_share) {
    finding.evidence.push_back({"worker_disk", *s.facts.tree.worker_disk_share * 100, "%", s.limits.worker_disk});
    if (*s.facts.tree.worker_disk_share * 100 >= s.limits.worker_disk / 2) {
      finding.why += "; workers are stuck in reads " + percent_words(*s.facts.tree.worker_disk_share) + " of the time";
    }
  }
  if (s.facts.tree.worker_cpu && !s.facts.step.fetch_cpu_share) {
    finding.evidence.push_back({"worker_cpu", *s.facts.tree.worker_cpu * 100, "%", s.limits.worker_busy});
    finding.why += "; workers compute at " + percent_words(*s.facts.tree.worker_cpu) + " of a core each";
  }
  if (host.io_wait) finding.evidence.push_back({"io_wait", host.io_wait->value(), "%", s.limits.io_pressure});
  if (host.disk_busy) finding.evidence.push_back({"disk_busy", host.disk_busy->value(), "%", s.limits.disk_busy});
  if (host.disk_read) finding.evidence.push_back({"disk_read", host.disk_read->value(), "bytes/s"});

  // A disk with idle time is read one file at a time: more readers help. A saturated disk has no more to give.
  const bool disk_has_more = host.disk_busy && host.disk_busy->value() < s.limits.disk_busy;
  if (disk_has_more) {
    const auto answer = more_workers(s);
    if (answer.change) {
      finding.changes.push_back(*answer.change);
      s.model.foretell(finding, {.workers = answer.to});
      // A disk that is 10 % busy can deliver ten times as much, if it is the bottleneck.
      const double more = kDiskFull / std::max(0.01, host.disk_busy->value() / 100);
      finding.speedup->low = 1 + (std::clamp(more, 1.0, std::max(1.0, finding.speedup->low)) - 1) / 2;
      finding.risk = {.low = true, .what = "every worker holds a copy of the dataset object in host memory"};
    } else {
      finding.vetoes.push_back({"workers", answer.refusal});
    }
  } else {
    const std::string busy = host.disk_busy ? "the disk is " + percent_words(host.disk_busy->value() / 100) + " busy"
                                            : "they would wait for the same disk";
    finding.vetoes.push_back({"workers", "more workers won't help: " + busy});
    finding.why += "; more workers won't help: " + busy;
    // Read from memory, a batch costs only its computation.
    const double computing = s.facts.step.fetch_cpu_share ? s.facts.step.fetch_cpu_share->value : 0.3;
    s.model.foretell(finding, {.input = 1 / std::max(0.05, computing)});
    finding.speedup->low = 1 + (finding.speedup->low - 1) / 2;
  }
  finding.action =
      "keep the dataset in memory (a RAM disk such as /dev/shm, or a cache in the dataset) or on a local SSD, "
      "and pack small files into large ones";
  finding.confidence = s.diagnosis.confidence;
  return finding;
}

}  // namespace gputop::rules
