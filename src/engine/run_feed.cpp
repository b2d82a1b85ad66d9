#include "engine/run_feed.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/slurm_ender.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kPiece = std::size_t{64} << 10U;
constexpr Duration kTurn = 4ms;  // per turn, before keys and viewers get theirs
// A job that prints continuously is read in larger pieces: waking up for every 4 KiB takes CPU time from the job.
constexpr std::uint64_t kStreaming = 2048;  // bytes at once
constexpr Duration kRest = 30ms;
constexpr Duration kReleaseAfter = 500ms;  // the ring causes a flush at most this often, unless it fills up
constexpr Duration kLookAgain = 10ms;      // checks again whether a recording has room or has settled
constexpr Duration kDiskHangs =
    500ms;  // without progress while the ring fills up: the job takes precedence over the recording
constexpr Duration kBeat = 200ms;
constexpr Duration kTryAgain = 100ms;  // to start a keeper
constexpr Duration kLookForKeeper = 20ms;
constexpr Duration kLookAtKeeper = 200ms;  // if no descriptor reports its end: none is left, or Linux is older than 5.3
constexpr Duration kLongRead = 5s;         // limit for reading what earlier engines recorded, once the run is over

// Instants count from the run's start, whichever engine counts.
Instant instant_of(const run::JobStatus& status, std::int64_t monotonic_ns) {
  return Instant{std::chrono::nanoseconds{monotonic_ns - status.started_monotonic_ns}};
}

}  // namespace

RunFeed::RunFeed(Loop& loop, Engine& engine, run::RunChannel channel, Handlers handlers)
    : loop_(loop),
      engine_(engine),
      channel_(std::move(channel)),
      handlers_(std::move(handlers)),
      buffer_(kPiece),
      wake_(loop.watch(channel_.wake_fd())),
      release_timer_(loop.make_timer()),
      pump_timer_(loop.make_timer()),
      beat_timer_(loop.make_timer()),
      keeper_timer_(loop.make_timer()),
      launches_(channel_.launches()) {}

void RunFeed::start() {
  await_keeper();
  beat();
  pump();
}

void RunFeed::await_wake() {
  wake_->when_readable([this] { pump(); });
}

void RunFeed::await_keeper() {
  if (channel_.keeper_fd() < 0) return follow_keeper("");  // it is already gone, or there was no descriptor left
  keeper_ = loop_.watch(channel_.keeper_fd());
  keeper_->when_readable([this] {
    if (over_) return;
    if (!channel_.current()) {
      handlers_.fenced();
      return;
    }
    keeper_.reset();
    follow_keeper("");
  });
}

// Without a keeper nobody reads the job's output, so start one.
void RunFeed::follow_keeper(const std::string& last_problem) {
  using Succession = run::RunChannel::Succession;
  if (over_ || !channel_.current()) return;
  const auto followed = channel_.follow_keeper();
  if (followed && *followed != Succession::kWaiting && channel_.keeper_fd() >= 0) {
    const bool restarted = *followed == Succession::kRestarted;
    engine_.publish({loop_.now(), Noted{Noted::Severity::kWarning,
                                        std::string{"the run's keeper was killed and has been replaced"} +
                                            (restarted ? ", but the run's exit status will be unknown" : "")}});
    return await_keeper();
  }
  const auto problem = followed ? last_problem : followed.error().message;
  if (problem != last_problem) engine_.publish({loop_.now(), Noted{Noted::Severity::kError, problem}});
  const bool kept = followed && *followed == Succession::kKept;
  const auto wait = kept ? kLookAtKeeper : followed ? kLookForKeeper : kTryAgain;
  keeper_timer_->at(loop_.now() + wait, [this, problem] { follow_keeper(problem); });
}

void RunFeed::beat() {
  channel_.beat();
  if (!channel_.current()) {
    handlers_.fenced();
    return;
  }
  look_at_job();
  channel_.wake_keeper();
  // In case a message from the keeper got lost, the job's output is noticed a moment later.
  for (unsigned stream = 0; stream < channel_.stream_count(); ++stream) {
    if (channel_.position(stream) < channel_.written(stream)) channel_.wake();
  }
  beat_timer_->at(loop_.now() + kBeat, [this] { beat(); });
}

// The previous job's output belongs to it: nothing is read past the relaunch until that is published.
std::size_t RunFeed::note_relaunch(unsigned stream) {
  if (channel_.launches() == launches_) return buffer_.size();
  const auto left = [&](unsigned of) {
    const auto before = channel_.launched_at(of);
    return before - std::min(before, channel_.position(of));
  };
  for (unsigned other = 0; other < channel_.stream_count(); ++other) {
    if (left(other) > 0) return std::min<std::uint64_t>(buffer_.size(), left(stream));
  }
  launches_ = channel_.launches();
  end_told_ = decided_ = false;
  if (handlers_.relaunched) handlers_.relaunched();
  return buffer_.size();
}

bool RunFeed::read_some(unsigned stream) {
  auto room = note_relaunch(stream);
  if (room == 0) return true;  // the other stream first
  const auto caution = channel_.caution(stream);
  room = static_cast<std::size_t>(std::min<std::uint64_t>(room, caution.most));
  auto piece = channel_.read(stream, std::span{buffer_}.first(room));
  if (piece.lost > 0) {
    engine_.publish({loop_.now(), Noted{Noted::Severity::kWarning, std::to_string(piece.lost) +
                                                                       " bytes of output were overwritten before "
                                                                       "they could be read"}});
  }
  if (piece.bytes == 0) return false;
  std::string_view bytes{buffer_.data(), piece.bytes};
  if (const auto end = caution.by_lines ? bytes.find_first_of("\r\n") : bytes.npos; end != bytes.npos) {
    bytes = bytes.substr(0, end + 1);
    channel_.seek(stream, piece.offset + bytes.size());
  }
  if (caution.leave_out) say_left_out(piece.offset, bytes.size());
  channel_.begin_output(stream, piece.offset, piece.offset + bytes.size());
  engine_.publish({loop_.now(), OutputWritten{stream, piece.offset, std::string{bytes}, caution.leave_out}});
  channel_.end_work();
  return channel_.position(stream) < channel_.written(stream);
}

// Once per piece, which may arrive in parts.
void RunFeed::say_left_out(std::uint64_t offset, std::size_t bytes) {
  if (all_left_out_) return;
  const bool more = channel_.note_left_out();
  all_left_out_ = !more;
  engine_.publish(
      {loop_.now(), Noted{Noted::Severity::kError,
                          more ? std::to_string(bytes) + " bytes of output, from byte " + std::to_string(offset) +
                                     " on, are recorded but neither shown nor parsed: they crashed gputop's "
                                     "engine repeatedly"
                               : "from now on the run's output is recorded but neither shown nor parsed: too many "
                                 "pieces of it crashed gputop's engine"}});
}

std::uint64_t RunFeed::read_so_far() const {
  std::uint64_t bytes = 0;
  for (unsigned stream = 0; stream < channel_.stream_count(); ++stream) bytes += channel_.position(stream);
  return bytes;
}

void RunFeed::pump() {
  pumping_ = false;
  if (over_) return;
  if (!channel_.current()) {
    handlers_.fenced();
    return;
  }
  channel_.clear_wake();
  bool more = false;
  bool waits = false;
  const Instant enough = loop_.now() + kTurn;
  const auto before = read_so_far();
  for (unsigned stream = 0; stream < channel_.stream_count(); ++stream) {
    bool again = true;
    do {
      waits = !may_read();
      if (!waits) again = read_some(stream);
    } while (again && !waits && loop_.now() < enough);
    more = more || again;
  }
  release_settled();
  if (waits) {
    pumping_ = true;
    pump_timer_->at(loop_.now() + kLookAgain, [this] { pump(); });
  } else if (more) {
    pumping_ = true;
    loop_.post([this] { pump(); });
  } else {
    look_at_job();
    if (over_) return;
    if (channel_.mode() != run::Mode::kPty || read_so_far() - before < kStreaming) return await_wake();
    pump_timer_->at(loop_.now() + kRest, [this] { pump(); });
  }
}

// A slow recording slows the job down; a stalled one does not: its queue then drops the oldest events.
bool RunFeed::may_read() {
  if (archive_ == nullptr || archive_->has_room()) return true;
  if (const auto steps = archive_->steps(); steps != steps_) {
    steps_ = steps;
    stepped_at_ = loop_.now();
  }
  bool pressed = false;
  for (unsigned stream = 0; stream < channel_.stream_count(); ++stream) {
    pressed = pressed || channel_.under_pressure(stream);
  }
  return pressed && loop_.now() - stepped_at_ > kDiskHangs;
}

// Checks the current mark and sets the next.
void RunFeed::release_settled() {
  bool pressed = false;
  std::array<std::uint64_t, run::kStreams> read{};
  for (unsigned stream = 0; stream < channel_.stream_count(); ++stream) {
    pressed = pressed || channel_.under_pressure(stream);
    read[stream] = channel_.position(stream);
  }
  if (archive_ == nullptr) {
    mark_.reset();
    release(read);
    return;
  }
  if (mark_ && archive_->settled() >= mark_->events) {
    if (!release(mark_->until)) return;
    const bool all = mark_->until == read;
    released_any_ = true;
    mark_.reset();
    if (all) return;
  }
  if (!mark_) mark_ = Mark{archive_->received(), read, loop_.now()};
  // The first action of an engine that follows a killed one, because it may not live long itself.
  const Instant due = released_any_ ? mark_->since + kReleaseAfter : mark_->since;
  if (!mark_->hurried && (pressed || loop_.now() >= due)) {
    mark_->hurried = true;
    archive_->hurry();
  }
  release_timer_->at(mark_->hurried ? loop_.now() + kLookAgain : due, [this] { release_settled(); });
}

bool RunFeed::release(const std::array<std::uint64_t, run::kStreams>& until) {
  for (unsigned stream = 0; stream < channel_.stream_count(); ++stream) {
    if (!channel_.release(stream, until[stream])) {
      handlers_.fenced();
      return false;
    }
  }
  return true;
}

Event run_started_of(const run::RunChannel& channel) {
  const auto status = channel.status();
  const auto record = channel.record();
  return {instant_of(status, status.launched_monotonic_ns), RunStarted{.id = record.id,
                                                                       .name = record.name,
                                                                       .argv = record.argv,
                                                                       .directory = record.cwd,
                                                                       .pid = status.pid,
                                                                       .terminal = channel.mode() == run::Mode::kPty}};
}

void RunFeed::past_known(bool end_told) {
  past_known_ = true;
  end_told_ = end_told_ || end_told;
  look_at_job();
}

void RunFeed::look_at_job() {
  if (over_ || pumping_) return;
  note_relaunch(0);
  const auto status = channel_.status();
  if (!status.ended_already() && !status.held) return;
  if (status.held && decided_) return channel_.repeat_follow();
  for (unsigned stream = 0; stream < channel_.stream_count(); ++stream) {
    if (channel_.position(stream) < channel_.written(stream)) return;  // its last output first
  }
  if (!past_known_) {
    if (!over_since_) over_since_ = loop_.now();
    if (status.held || loop_.now() - *over_since_ < kLongRead) return;  // the heartbeat checks again
  }
  over_ = status.ended_already();
  decided_ = true;
  if (!std::exchange(end_told_, true)) {
    const auto ended = status.ended_monotonic_ns;
    const auto sender = [this](pid_t pid) { return slurm_as_ender(pid, engine_.model().job); };
    engine_.publish({ended ? instant_of(status, *ended) : loop_.now(), run_end_of(status, sender)});
  }
  if (over_) {
    handlers_.ended();
  } else if (handlers_.held) {
    handlers_.held();
  } else {
    channel_.follow(run::RunChannel::Follow::kNothing);
  }
}

}  // namespace gputop
