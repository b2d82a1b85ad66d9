#include "gputop/logs/end_causes.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "logs/oom_message.hpp"
#include "logs/prefix.hpp"
#include "logs/text.hpp"

namespace gputop {
namespace {

using logs::Fault;

constexpr std::size_t kMostFaults = 24;
constexpr std::size_t kMostSpeakers = 64;
constexpr int kSurvived = 2;  // steps after a fault: the other ranks may still finish one
constexpr int kOomLines = 8;
constexpr std::size_t kLastLine = 200;
constexpr int kErrorLines = 20;
constexpr Duration kReason = std::chrono::seconds{15};  // between an exception and what it was about
constexpr Duration kSameMessage = std::chrono::seconds{1};
constexpr Duration kRecent = std::chrono::seconds{30};  // a kill that has to do with the end
constexpr Duration kAfterwards = std::chrono::seconds{5};
constexpr Duration kXidBefore = std::chrono::seconds{120};
constexpr double kShmFull = 0.95;

// Signals by number: this module knows no system headers.
constexpr int kHangup = 1;
constexpr int kInterrupt = 2;
constexpr int kIllegal = 4;
constexpr int kAbort = 6;
constexpr int kBus = 7;
constexpr int kFloating = 8;
constexpr int kKill = 9;
constexpr int kSegment = 11;
constexpr int kPipe = 13;
constexpr int kTerminate = 15;
constexpr int kShellSignal = 128;
constexpr int kMostSignals = 64;

// "RuntimeError: CUDA error: …" without its traceback.
bool names_exception(std::string_view body) {
  const auto colon = body.find(": ");
  if (colon == std::string_view::npos || body.find(' ') < colon) return false;
  const auto name = slice(body, 0, colon);
  return name.ends_with("Error") || name.ends_with("Exception");
}

// A line that a logger calls an error, or that calls itself one.
bool is_error(std::string_view line, std::string_view body) {
  constexpr std::size_t kHead = 80;
  const auto head = slice(line, 0, kHead);
  return logs::contains(head, "ERROR") || logs::contains(head, "CRITICAL") || logs::contains(head, "FATAL") ||
         logs::same_word(slice(logs::trimmed(body), 0, 6), "error:") || logs::contains(line, ", stopping training") || logs::contains(line, "No space left on device");
}

// What a shell says of a child that a signal has ended; the reason stands before it.
bool is_of_shell(std::string_view text) {
  return text.ends_with("(core dumped)");
}

bool same_numbers(const GpuOom& a, const GpuOom& b) {
  return a.requested == b.requested && a.free == b.free && a.allocated == b.allocated && a.total == b.total;
}

}  // namespace

void EndCauses::Kills::count(Instant at, const Reading<std::uint64_t>& value) {
  if (!value) return;
  if (first && *value > last) grew = at;
  if (!first) first = value;
  last = *value;
}

bool EndCauses::expects_more() const {
  return oom_lines_ > 0 ||
         std::any_of(speakers_.begin(), speakers_.end(), [](const auto& each) { return each.traceback.active(); });
}

bool EndCauses::line(Instant at, unsigned stream, std::string_view text) {
  const bool may_be = logs::may_be_fault(text);
  if (!may_be && !expects_more()) {
    note(text, false);
    return false;
  }
  auto [body, rank] = logs::without_prefix(text);
  if (body.data() != text.data() && body.starts_with(' '))
    skip_front(body, 1);  // "[rank0]: Traceback": the blank is the prefix's
  if (oom_lines_ > 0 && !faults_.empty() && faults_.back().oom) {
    --oom_lines_;
    if (logs::continue_gpu_oom(body, *faults_.back().oom)) {
      faults_.back().text = logs::in_words(*faults_.back().oom);
      facts_.oom = faults_.back().oom;
      return true;
    }
  }
  auto& speaker = speaker_of(stream, rank);
  bool taken = false;
  if (auto exception = speaker.traceback.add(body, taken)) {
    auto fault = logs::fault_of(*exception);
    fault.at = at;
    fault.rank = rank;
    add(std::move(fault), exception->chained);
    return true;
  }
  if (taken) return true;
  if (may_be) {
    note(body, is_error(text, body) || (error_lines_ == 0 && names_exception(body)));
    auto fault = logs::read_fault(body);
    if (!fault) fault = logs::read_logged_fault(body);
    if (fault) {
      fault->at = at;
      fault->rank = rank;
      add(*std::move(fault), false);
      return true;
    }
  } else {
    note(body, false);
  }
  return false;
}

// What may be its last words: an error outlives the lines of those who tidy up behind it.
void EndCauses::note(std::string_view line, bool error) {
  const auto words = logs::trimmed(line);
  if (words.empty() || is_of_shell(words) || words.starts_with("wandb: ")) return;
  if (!error && error_lines_ > 0 && --error_lines_ > 0) return;
  error_lines_ = error ? kErrorLines : 0;
  last_line_.assign(slice(words, 0, kLastLine));
}

EndCauses::Speaker& EndCauses::speaker_of(unsigned stream, Reading<unsigned> rank) {
  const auto known = std::find_if(speakers_.begin(), speakers_.end(),
                                  [&](const Speaker& each) { return each.stream == stream && each.rank == rank; });
  if (known != speakers_.end()) return *known;
  if (speakers_.size() == kMostSpeakers) return speakers_.back();
  return speakers_.emplace_back(Speaker{.stream = stream, .rank = rank, .traceback = {}});
}

void EndCauses::add(Fault fault, bool chained) {
  steps_since_ = 0;
  if (fault.oom) {
    oom_lines_ = kOomLines;
    // A message and the traceback that repeats it are one.
    const auto known = std::find_if(faults_.begin(), faults_.end(), [&](const Fault& each) {
      return each.oom && same_numbers(*each.oom, *fault.oom) && fault.at - each.at < kSameMessage;
    });
    facts_.oom = fault.oom;
    if (known != faults_.end()) return;
  }
  // What is raised while an exception is handled takes its place: it is what ended the process.
  if (chained && !faults_.empty() && fault.kind == EndKind::kException && !fault.secondary) {
    auto& before = faults_.back();
    if (before.kind == EndKind::kException && before.rank == fault.rank) {
      before = std::move(fault);
      return;
    }
  }
  if (faults_.size() < kMostFaults) faults_.push_back(std::move(fault));
}

std::string EndCauses::went_on() {
  if (faults_.empty() || ++steps_since_ < kSurvived) return {};
  unsigned survived = 0;
  std::string text;
  for (const auto& fault : faults_) {
    if (!fault.oom) continue;
    ++survived;
    text = fault.text;
  }
  faults_.clear();
  steps_since_ = 0;
  oom_lines_ = 0;
  last_line_.clear();
  error_lines_ = 0;
  facts_.survived_ooms += survived;
  if (survived == 0) return {};
  return "the run survived " +
         (survived == 1 ? std::string{"an out-of-memory"} : std::to_string(survived) + " out-of-memories") + ": " +
         text;
}

void EndCauses::host(Instant at, const HostReading& host) {
  counters_known_ = counters_known_ || host.cgroup.oom_kills || host.oom_kills;
  cgroup_kills_.count(at, host.cgroup.oom_kills);
  machine_kills_.count(at, host.oom_kills);
  if (host.shm_used && host.shm_total && host.shm_total->value() > 0) shm_share_ = *host.shm_used / *host.shm_total;
  if (end_ && at - ended_ <= kAfterwards) conclude();
}

void EndCauses::gpu(Instant at, const GpuHappened& happened) {
  if (happened.kind != GpuHappened::Kind::kXid && happened.kind != GpuHappened::Kind::kLost) return;
  xid_at_ = at;
  xid_ = happened.kind == GpuHappened::Kind::kXid ? happened.code : 79;  // a lost board is what Xid 79 says
  xid_text_ = "GPU " + std::to_string(happened.index) + ": " + happened.text;
  if (end_ && at - ended_ <= kAfterwards) conclude();
}

void EndCauses::ended(Instant at, const RunEnded& ended) {
  end_ = ended;
  ended_ = at;
  conclude();
}

// The first cause: what the other processes say after it is its consequence.
const Fault* EndCauses::root() const {
  const auto is_cause = [](const Fault& fault) {
    return !fault.secondary && fault.kind != EndKind::kNcclTimeout && fault.kind != EndKind::kKilled;
  };
  auto found = std::find_if(faults_.begin(), faults_.end(), is_cause);
  if (found == faults_.end())
    found = std::find_if(faults_.begin(), faults_.end(), [](const Fault& fault) { return !fault.secondary; });
  if (found == faults_.end())
    found = std::find_if(faults_.begin(), faults_.end(), [](const Fault& fault) { return !fault.hollow; });
  if (found == faults_.end()) found = faults_.begin();
  // A plain exception that the reason follows: "SystemError: (Fatal) …", then "Out of memory error on GPU 0".
  if (found != faults_.end() && found->kind == EndKind::kException) {
    const auto reason = std::find_if(found, faults_.end(), [&](const Fault& each) {
      return (each.oom || each.kind == EndKind::kHostOom || each.kind == EndKind::kShmExhausted) &&
             each.rank == found->rank && each.at - found->at < kReason;
    });
    if (reason != faults_.end()) found = reason;
  }
  return found == faults_.end() ? nullptr : &*found;
}

bool EndCauses::killed_for_memory() const {
  const auto recent = [&](const Kills& kills) { return kills.grew && *kills.grew >= ended_ - kRecent; };
  return recent(cgroup_kills_) || recent(machine_kills_);
}

std::string EndCauses::kill_evidence() const {
  const bool own = cgroup_kills_.grew && *cgroup_kills_.grew >= ended_ - kRecent;
  const auto& kills = own ? cgroup_kills_ : machine_kills_;
  const auto count = kills.last - kills.first.value_or(kills.last);
  return std::string{own ? "its control group" : "the kernel"} + " counted " + std::to_string(count) +
         (count == 1 ? " out-of-memory kill" : " out-of-memory kills");
}

bool EndCauses::is_hardware_fault() const {
  return xid_at_ && *xid_at_ >= ended_ - kXidBefore && !logs::is_application_xid(xid_);
}

void EndCauses::conclude() {
  facts_.exit_code = end_->exit_code;
  facts_.signal = end_->signal;
  int signal = end_->signal.value_or(0);
  if (signal == 0 && end_->exit_code && *end_->exit_code > kShellSignal &&
      *end_->exit_code <= kShellSignal + kMostSignals) {
    signal = *end_->exit_code - kShellSignal;
  }
  if (end_->exit_code == 0) {
    facts_.kind = EndKind::kFinished;
    facts_.detail = "finished";
    for (const auto& fault : std::exchange(faults_, {})) facts_.survived_ooms += fault.oom ? 1 : 0;
    return;
  }
  const auto* fault = root();
  const bool memory = killed_for_memory() && (signal == kKill || (fault && fault->by_kill));
  if (memory && !(fault && fault->oom)) {
    facts_.kind = EndKind::kHostOom;
    facts_.detail = "killed for want of host memory: " + kill_evidence();
  } else if (is_hardware_fault() && !(fault && fault->oom)) {
    facts_.kind = EndKind::kXid;
    facts_.detail = xid_text_;
    if (fault) facts_.detail += "; then " + fault->text;
  } else if (!end_->by.empty() && signal == 0 && (!fault || fault->secondary || fault->kind == EndKind::kKilled)) {
    facts_.kind = EndKind::kKilled;  // it was asked to end, and did so in its own way
    facts_.detail = end_->text;
  } else if (fault && !(signal == kInterrupt && fault->kind == EndKind::kException)) {
    by_fault(*fault);
  } else if (signal != 0) {
    by_signal(signal);
  } else if (end_->exit_code) {
    facts_.kind = names_exception(last_line_) ? EndKind::kException : EndKind::kFailed;
    facts_.detail = end_->text.empty() ? "exited with code " + std::to_string(*end_->exit_code) : end_->text;
    if (!last_line_.empty()) facts_.detail += "; its last words: " + printable(last_line_);
  } else {
    facts_.kind = EndKind::kUnknown;
    facts_.detail = end_->text;
  }
}

void EndCauses::by_fault(const Fault& fault) {
  facts_.kind = fault.kind;
  facts_.detail = fault.text;
  if (fault.oom) facts_.oom = fault.oom;
  if (fault.rank) facts_.detail = "rank " + std::to_string(*fault.rank) + ": " + facts_.detail;
  // A kill that the kernel did not count as one for want of memory was somebody's.
  if (fault.kind == EndKind::kHostOom && fault.by_kill) {
    if (counters_known_)
      facts_.kind = EndKind::kKilled;
    else
      facts_.detail += "; probably for want of host memory: the kernel's counters cannot be read";
  }
  if (facts_.kind == EndKind::kKilled && fault.by_kill) facts_.detail += whether_for_memory();
  if (xid_at_ && *xid_at_ >= ended_ - kXidBefore) facts_.detail += " (" + xid_text_ + ")";
}

std::string EndCauses::whether_for_memory() const {
  return counters_known_ ? "; not for want of memory: no out-of-memory kill was counted"
                         : "; whether for want of memory is not known: the kernel's counters cannot be read";
}

void EndCauses::by_signal(int signal) {
  // The end's own words have the signal and its sender, unless a shell has made an exit code of it.
  const auto said = [&](std::string_view name) {
    if (end_->signal && !end_->text.empty()) return end_->text;
    return "killed by " + std::string{name} + (end_->by.empty() ? "" : " from " + end_->by);
  };
  facts_.kind = EndKind::kKilled;
  switch (signal) {
    case kKill: facts_.detail = said("SIGKILL") + whether_for_memory(); return;
    case kInterrupt: facts_.detail = said("SIGINT"); return;
    case kTerminate: facts_.detail = said("SIGTERM"); return;
    case kPipe: facts_.detail = said("SIGPIPE") + ": whoever read its output went away"; return;
    case kHangup: facts_.detail = said("SIGHUP") + ", as when its terminal goes away"; return;
    case kSegment:
      facts_.kind = EndKind::kSegfault;
      facts_.detail = "segmentation fault (SIGSEGV)";
      return;
    case kBus:
      facts_.kind = shm_share_ && *shm_share_ >= kShmFull ? EndKind::kShmExhausted : EndKind::kSegfault;
      facts_.detail = facts_.kind == EndKind::kShmExhausted
                          ? "bus error (SIGBUS) with /dev/shm " + format_number(*shm_share_ * 100, 0) + " % full"
                          : "bus error (SIGBUS)";
      return;
    case kAbort:
    case kIllegal:
    case kFloating:
      facts_.kind = EndKind::kFailed;
      facts_.detail = signal == kAbort     ? "aborted (SIGABRT)"
                      : signal == kIllegal ? "crashed: illegal instruction (SIGILL)"
                                           : "crashed: arithmetic error (SIGFPE)";
      if (!last_line_.empty()) facts_.detail += "; its last words: " + printable(last_line_);
      return;
    default: facts_.detail = end_->text;
  }
}

}  // namespace gputop
