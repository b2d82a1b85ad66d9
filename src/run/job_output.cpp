#include "run/job_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace gputop::run {
namespace {

// Headless, read no further ahead of the user's stdout than a pipe would be: a slow reader slows the job, as without
// us.
constexpr std::uint64_t kAhead = 65536;
// How long a job may wait for an engine that is alive but does not read.
constexpr std::int64_t kLongestStall = 700;
constexpr std::int64_t kReopenInterval = 200;
constexpr std::size_t kTerminalRead = 8192;  // a terminal gives 4 KiB at a time
constexpr std::uint64_t kPipeRead = 65536;
// A job that prints faster than its engine records is slowed down before the ring is full: the other half is for the
// time without an engine. It never stops for longer than this.
constexpr std::int64_t kHeldBack = 5;
constexpr int kMostReadErrors = 10;
constexpr std::int64_t kEngineRests = 300;  // an engine that released nothing for this long does not slow the job down

}  // namespace

void JobOutput::open(const RingPlace& ring, int input, bool terminal, int ring_file) {
  place_ = ring;
  input_ = input;
  terminal_ = terminal;
  ring_file_ = ring_file;
  ring_ = RingWriter{ring};
  terminal_ ? ring_.recover() : recover_pipe();
}

// splice(2) moves the file's position with the bytes: it is ahead of `written` by what the predecessor could not
// publish.
void JobOutput::recover_pipe() {
  const auto position = ring_file_ >= 0 ? ::lseek(ring_file_, 0, SEEK_CUR) : -1;
  const auto at = static_cast<std::uint64_t>(position) - place_.offset;
  if (position < static_cast<off_t>(place_.offset) || at > place_.capacity) {
    ring_file_ = -1;
    return;
  }
  const auto ahead =
      (at % place_.capacity + place_.capacity - ring_.written() % place_.capacity) % place_.capacity;
  if (ahead <= kPipeRead) {
    ring_.publish(ahead);
  } else {
    ring_file_ = -1;  // not where we left it
  }
}

ssize_t JobOutput::splice_into_ring() {
  const auto at = ring_.written() % place_.capacity;
  const auto size = static_cast<std::size_t>(std::min(kPipeRead, place_.capacity - at));
  if (at == 0) ::lseek(ring_file_, static_cast<off_t>(place_.offset), SEEK_SET);
  ring_.give_way(size);
  const auto got = ::splice(input_, nullptr, ring_file_, nullptr, size, SPLICE_F_NONBLOCK | SPLICE_F_MOVE);
  if (got > 0) ring_.publish(static_cast<std::size_t>(got));
  return got;
}

void JobOutput::copy_to(int user_output, int ring_file) {
  output_.open(user_output, place_, ring_file, ring_.written());
}

bool JobOutput::is_pressed() const {
  return terminal_ && ring_.held() > ring_.capacity() / 2;
}

bool JobOutput::is_held_back(const Moment& moment) const {
  if (!is_pressed() || moment.job_gone || overrun_) return false;
  if (ring_.held() > ring_.capacity() / 4 * 3) return true;  // better slow than losing something
  return moment.engine_runs && moment.now - released_at_ < kEngineRests;
}

bool JobOutput::is_drained() const {
  if (input_ >= 0 && !drained_ && retry_at_ == 0) return false;
  return !wants_copy();
}

bool JobOutput::may_read(const Moment& moment) const {
  if (input_ < 0) return false;
  if (!terminal_) return !output_.is_open() || ring_.written() - output_.copied() < kAhead;
  if (retry_at_ > moment.now || (is_held_back(moment) && moment.now - read_at_ < kHeldBack)) return false;
  return overrun_ || ring_.room() > 0 || moment.now - full_since_ > kLongestStall;
}

void JobOutput::look(const Moment& moment) {
  if (place_.state != nullptr) ring_.insist();
  if (input_ < 0) return;
  if (!overrun_ && full_since_ != 0 && ring_.room() > 0) full_since_ = 0;
  if (moment.engine_done) overrun_ = terminal_;  // nobody reads any more: drain it so the job can continue
  if (const std::uint64_t released = place_.state->released; released != released_) {
    released_ = released;
    released_at_ = moment.now;
  }
}

int JobOutput::wait(const Moment& moment) const {
  if (input_ < 0) return -1;
  if (moment.job_gone && !drained_ && may_read(moment)) return 0;  // what is left is read without a notice
  if (is_held_back(moment)) return static_cast<int>(kHeldBack);
  return full_since_ != 0 || retry_at_ != 0 ? 50 : -1;
}

ssize_t JobOutput::read_into_ring(const Moment& moment) {
  if (terminal_ && !overrun_) {
    if (const auto piece = ring_.reading_piece(kTerminalRead); !piece.empty()) {
      const auto got = ::read(input_, piece.data(), piece.size());
      if (got > 0) ring_.publish(static_cast<std::size_t>(got));
      return got;
    }
    if (full_since_ == 0) full_since_ = moment.now;
    if (moment.now - full_since_ <= kLongestStall) {
      errno = ENOBUFS;
      return -1;
    }
    overrun_ = true;
  }
  if (ring_file_ >= 0) {
    const auto got = splice_into_ring();
    if (got >= 0 || errno == EAGAIN || errno == EINTR) return got;
    ::lseek(ring_file_, 0, SEEK_SET);  // not in the ring: nobody relies on it
    ring_file_ = -1;                   // for example, a limit on file sizes (ulimit -f) forbids it
  }
  const auto got = ::read(input_, bounce_.data(), bounce_.size());
  if (got > 0) ring_.overwrite({bounce_.data(), static_cast<std::size_t>(got)});
  return got;
}

bool JobOutput::read(const Moment& moment) {
  const auto before = ring_.written();
  if (!moment.engine_done && ring_.room() > ring_.capacity() / 2) overrun_ = false;
  const int rounds = is_held_back(moment) ? 1 : 64;
  bool broken = false;
  for (int round = 0; round < rounds && may_read(moment); ++round) {
    const auto got = read_into_ring(moment);
    if (got > 0) {
      if (!overrun_) full_since_ = 0;
      retry_at_ = 0;
      continue;
    }
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == ENOBUFS) break;  // the ring is full
    if (got < 0 && errno == EAGAIN) {
      retry_at_ = 0;
      drained_ = moment.job_gone;
    } else if (!terminal_ && got < 0 && ++read_errors_ < kMostReadErrors) {
      break;  // not the end: the job may still be printing
    } else if (!terminal_) {
      ::close(std::exchange(input_, -1));  // end of file
    } else if (moment.job_gone) {
      input_ = -1;  // EIO: nobody has the terminal open, and nobody will
    } else {
      retry_at_ = moment.now + kReopenInterval;
    }
    break;
  }
  read_at_ = moment.now;
  if (output_.is_open()) broken = copy();
  return broken || ring_.written() != before;
}

bool JobOutput::copy() {
  while (wants_copy()) {
    const auto put = output_.copy(ring_.written());
    if (put > 0) {
      if (output_.polled()) return false;
      continue;
    }
    if (put < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (put < 0 && errno == EPIPE) {
      // To the job it must look as if it wrote there itself: without a reader, its next write fails in the same way.
      if (input_ >= 0) ::close(std::exchange(input_, -1));
      output_.skip_to(ring_.written());
      place_.state->broken = 1;
      return true;
    }
    place_.state->discarded += ring_.written() - output_.copied();  // a full disk must not end the run
    output_.skip_to(ring_.written());
  }
  return false;
}

}  // namespace gputop::run
