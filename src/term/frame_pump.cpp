// One frame being sent, the newest waiting: see frame_pump.hpp.
#include "gputop/term/frame_pump.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

namespace gputop::term {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kQuestion = "\x1b[5n";
constexpr std::size_t kWorthAsking = 256;  // bytes; fewer cannot make a noticeable backlog
constexpr auto kPromptAnswer = 50ms;       // of a terminal that keeps up: it is asked less often
constexpr std::size_t kWorthAskingPrompt = 4096;
constexpr auto kFirstAnswer = 1s;  // from a terminal that has never answered
constexpr auto kAnyAnswer = 10s;   // from one that has: the line may just be slow
// At the end, when only the user waits:
constexpr auto kLastAnswer = 5s;  // from a terminal that answers: as soon as the line has delivered it
constexpr auto kOnlyAnswer = 2s;  // after the question, from one that has never answered; most answer in milliseconds
constexpr auto kSilentTerminal = 50ms;  // it had its chance
constexpr auto kLookAgain = 20ms;       // while the kernel's queue drains, which nothing signals

}  // namespace

void FramePump::submit(Frame frame, Time now) {
  if (newest_) {
    ++counts_.frames_replaced;
    spare_ = std::move(newest_);
  }
  newest_ = std::move(frame);
  advance(now);
}

void FramePump::say(std::string bytes, Time now) {
  said_ += bytes;
  advance(now);
}

void FramePump::repaint(Time now) {
  if (!newest_) newest_ = std::move(shown_);
  shown_.reset();
  // Whatever was being sent is void; its rest could be the tail of an escape sequence.
  bytes_.clear();
  sent_ = 0;
  asking_ = false;
  questions_ = 0;
  advance(now);
}

std::chrono::milliseconds FramePump::answer_patience(Time now) const {
  if (answers_) return kLastAnswer;
  return std::max<std::chrono::milliseconds>(
      kSilentTerminal, std::chrono::duration_cast<std::chrono::milliseconds>(asked_at_ + kOnlyAnswer - now));
}

void FramePump::on_reply(Time now) {
  answers_ = true;
  silent_ = false;
  if (questions_ > 0) {
    --questions_;
    prompt_ = now - asked_at_ <= kPromptAnswer;
  }
  advance(now);
}

void FramePump::advance(Time now) {
  wakes_at_.reset();
  if (failed_) return;
  if (wants_write()) write_some(now);
  if (wants_write() || failed_) return;
  if (!said_.empty()) {
    bytes_ = std::exchange(said_, {});
    sent_ = 0;
    write_some(now);
    if (wants_write() || failed_) return;
  }
  if (!newest_) return;
  if (const auto later = busy_until(now)) {
    wakes_at_ = later;
    return;
  }
  start_frame(now);
  write_some(now);
}

void FramePump::start_frame(Time now) {
  bytes_ = difference(shown_ ? &*shown_ : nullptr, *newest_);
  if (shown_) spare_ = std::move(shown_);
  shown_ = std::exchange(newest_, std::nullopt);
  sent_ = 0;
  if (bytes_.empty()) return;
  ++counts_.frames_sent;
  since_question_ += bytes_.size();
  if (ask_ && !silent_ && since_question_ >= (prompt_ ? kWorthAskingPrompt : kWorthAsking)) {
    bytes_ += kQuestion;
    asking_ = true;
    ++questions_;
    asked_at_ = now;
    since_question_ = 0;
  }
}

void FramePump::write_some(Time now) {
  while (sent_ < bytes_.size()) {
    const ssize_t count = ::write(fd_, bytes_.data() + sent_, bytes_.size() - sent_);
    if (count >= 0) {
      sent_ += static_cast<std::size_t>(count);
      counts_.bytes_sent += static_cast<std::size_t>(count);
      line_.wrote(static_cast<std::size_t>(count), now);
      if (count > 0) continue;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count == 0 || errno == EAGAIN || errno == EWOULDBLOCK) return line_.was_full(now);
    failed_ = true;
    return;
  }
  if (!bytes_.empty()) line_.frame_done(now);
  if (std::exchange(asking_, false)) ++counts_.questions_sent;
  bytes_.clear();
  sent_ = 0;
}

std::optional<FramePump::Time> FramePump::busy_until(Time now) {
  if (questions_ > 0) {
    const Time patience =
        asked_at_ + (answers_ ? kAnyAnswer : std::chrono::duration_cast<Time::duration>(kFirstAnswer));
    if (now < patience) return patience;
    questions_ = 0;
    silent_ = true;  // a late answer changes that
  }
  if (answers_ && !silent_) return std::nullopt;  // it has drawn everything before the question; no need to guess
  int queued = 0;
  if (::ioctl(fd_, TIOCOUTQ, &queued) == 0 && queued > 0) return now + kLookAgain;
  return line_.drained_at(now);
}

}  // namespace gputop::term
