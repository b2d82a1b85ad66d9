// The keeper's copying: job → ring, and headless also → the user's stdout and stderr.
#include <unistd.h>

#include <algorithm>

#include "run/keeper.hpp"

namespace gputop::run {
namespace {

// Headless, no further ahead of the user's stdout than a pipe would be: a slow reader slows the job, as without us.
constexpr std::uint64_t kAhead = 65536;
// How long a job may wait for an engine that is neither dead nor reading.
constexpr std::int64_t kLongestStall = 700;
constexpr std::int64_t kReopenInterval = 200;
constexpr std::size_t kTerminalRead = 8192;  // a terminal gives 4 KiB at a time

}  // namespace

bool Keeper::may_read(const Stream& stream) const {
  if (stream.input < 0) return false;
  if (headless()) return !stream.output.is_open() || stream.ring.written() - stream.copied < kAhead;
  if (stream.retry_at > now_) return false;
  return stream.overrun || stream.ring.room() > 0 || now_ - stream.full_since > kLongestStall;
}

ssize_t Keeper::read_into_ring(Stream& stream) {
  if (!headless() && !stream.overrun) {
    if (const auto piece = stream.ring.reading_piece(kTerminalRead); !piece.empty()) {
      const auto got = ::read(stream.input, piece.data(), piece.size());
      if (got > 0) stream.ring.publish(static_cast<std::size_t>(got));
      return got;
    }
    if (stream.full_since == 0) stream.full_since = now_;
    if (now_ - stream.full_since <= kLongestStall) {
      errno = ENOBUFS;
      return -1;
    }
    stream.overrun = true;
  }
  const auto got = ::read(stream.input, bounce_.data(), bounce_.size());
  if (got > 0) stream.ring.overwrite({bounce_.data(), static_cast<std::size_t>(got)});
  return got;
}

void Keeper::read_input(Stream& stream) {
  const auto before = stream.ring.written();
  if (!engine_.done() && stream.ring.room() > stream.ring.capacity() / 2) stream.overrun = false;
  for (int round = 0; round < 64 && may_read(stream); ++round) {
    const auto got = read_into_ring(stream);
    if (got > 0) {
      if (!stream.overrun) stream.full_since = 0;
      stream.retry_at = 0;
      continue;
    }
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == ENOBUFS) break;  // the ring is full
    if (got < 0 && errno == EAGAIN) {
      stream.retry_at = 0;
      stream.drained = job_gone_;
    } else if (headless()) {
      ::close(std::exchange(stream.input, -1));  // end of file
    } else if (job_gone_) {
      stream.input = -1;  // EIO: nobody has the terminal open, and nobody will
    } else {
      stream.retry_at = now_ + kReopenInterval;
    }
    break;
  }
  if (stream.output.is_open()) write_output(stream);
  if (stream.ring.written() != before) wake();
}

void Keeper::write_output(Stream& stream) {
  const char* data = shared_.data(static_cast<std::size_t>(&stream - streams_.data()));
  while (stream.copied < stream.ring.written()) {
    const auto at = stream.copied % stream.ring.capacity();
    const auto size = std::min(stream.ring.written() - stream.copied, stream.ring.capacity() - at);
    const auto put = stream.output.write(data + at, static_cast<std::size_t>(size));
    if (put > 0) {
      stream.copied += static_cast<std::uint64_t>(put);
      if (stream.output.polled()) return;
      continue;
    }
    if (put < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (put < 0 && errno == EPIPE) {
      // The job must see it as if it wrote there itself: with no reader left, its next write fails the same way.
      if (stream.input >= 0) ::close(std::exchange(stream.input, -1));
      stream.state->broken = 1;
      shared_->engine_waiting = 1;
      wake();
    } else {
      stream.state->discarded += stream.ring.written() - stream.copied;  // a full disk must not end the run
    }
    stream.copied = stream.ring.written();
  }
}

// A daemonised child may go on printing after the job's end. The caller waits for us as it would for the job, so a copy
// of this process stays for the rest.
void Keeper::copy_leftovers() {
  if (std::none_of(streams_.begin(), streams_.end(), [](const Stream& s) { return s.input >= 0; })) return;
  if (::fork() != 0) return;
  while (true) {
    std::array<pollfd, kStreams> polls;
    bool open = false;
    for (std::size_t i = 0; i < kStreams; ++i) {
      const bool full = streams_[i].copied < streams_[i].ring.written();
      polls[i] = {full ? streams_[i].output.fd() : streams_[i].input, static_cast<short>(full ? POLLOUT : POLLIN), 0};
      open = open || polls[i].fd >= 0;
    }
    if (!open) ::_exit(0);
    ::poll(polls.data(), polls.size(), -1);
    for (Stream& stream : streams_) {
      write_output(stream);
      if (may_read(stream)) read_input(stream);
    }
  }
}

// Only an engine that sleeps costs a system call.
void Keeper::wake() {
  if (shared_->engine_waiting.exchange(0) != 0) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(fds_.wake, &one, sizeof one);
  }
}

}  // namespace gputop::run
