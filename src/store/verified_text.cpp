#include "store/verified_text.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "gputop/core/scan.hpp"
#include "store/crc32.hpp"
#include "store/line_encoder.hpp"

namespace gputop::store {
namespace {

constexpr std::string_view kCheckStart = "{\"check\":";
// What our writer may leave unchecked, plus a margin.
constexpr std::size_t kMostUnchecked = 2 * kMaxLine;

bool check_matches(std::string_view line, std::string_view checked) {
  std::uint32_t crc = 0;
  const std::string_view digits = slice(line, kCheckStart.size());
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), crc);
  return result.ec == std::errc{} && crc == crc32(0, checked);
}

}  // namespace

VerifiedText::Got VerifiedText::next() {
  while (next_ == ready_) {
    if (ended_) return Got::kEnd;
    if (cut_) {
      ended_ = true;
      return Got::kLoss;
    }
    if (const Got got = load(); got != Got::kLine) return got;
  }
  const std::size_t end = text_.find('\n', next_);  // exists: ready_ is after a newline
  line_ = slice(std::string_view{text_}, next_, end - next_);
  next_ = end + 1;
  return Got::kLine;
}

std::string_view VerifiedText::take_ready() {
  const auto from = std::exchange(next_, ready_);
  return slice(std::string_view{text_}, from, ready_ - from);
}

// Scans the lines not scanned yet. True: everything up to a check is now verified, or known to be wrong.
bool VerifiedText::find_check() {
  while (true) {
    const std::size_t end = text_.find('\n', scanned_);
    if (end == std::string::npos) return false;
    const auto line = slice(std::string_view{text_}, scanned_, end - scanned_);
    const std::size_t start = scanned_;
    scanned_ = end + 1;
    if (!line.starts_with(kCheckStart)) continue;
    const auto checked = slice(std::string_view{text_}, ready_, start - ready_);
    check_failed_ = !check_matches(line, checked);
    if (!check_failed_) ready_ = scanned_;
    return true;
  }
}

VerifiedText::Got VerifiedText::load() {
  // Drops returned text once it is most of the buffer: checks are a few kilobytes apart, and a block holds many.
  if (next_ >= text_.size() / 2) {
    text_.erase(0, next_);
    scanned_ -= next_;
    ready_ -= next_;
    next_ = 0;
  }
  while (true) {
    if (find_check()) return check_failed_ ? lose_damaged() : Got::kLine;
    if (std::exchange(frame_ended_, false)) {
      // The frame's own checksum matched, so the lines after its last check are valid too.
      text_.resize(scanned_);
      ready_ = scanned_;
      if (ready_ > next_) return Got::kLine;
    }
    if (text_.size() - next_ > kMostUnchecked) return lose_damaged();
    switch (frames_->next(text_)) {
      case FrameReader::Step::kText: break;
      case FrameReader::Step::kMarker: {
        const Marker& marker = frames_->marker();
        const bool skipped = expected_frame_ && marker.frame > *expected_frame_;
        expected_frame_ = marker.frame + 1;
        if (!skipped) break;
        loss_ = {Loss::Kind::kMissing, frames_->offset(), marker};
        return Got::kLoss;
      }
      case FrameReader::Step::kFrameEnd: frame_ended_ = true; break;
      case FrameReader::Step::kDamaged: return lose_damaged();
      case FrameReader::Step::kCutOff: return lose_the_rest();
      case FrameReader::Step::kEnd: ended_ = true; return Got::kEnd;
    }
  }
}

VerifiedText::Got VerifiedText::lose_damaged() {
  loss_ = {Loss::Kind::kDamaged, frames_->offset(), std::nullopt};
  loss_.next = frames_->resynchronise();
  go_on_behind_loss();
  return Got::kLoss;
}

VerifiedText::Got VerifiedText::lose_the_rest() {
  loss_ = {Loss::Kind::kCutOff, frames_->offset(), std::nullopt};
  // A damaged length can swallow the frames after it: if there are any, the file is not just truncated.
  loss_.next = frames_->resynchronise();
  if (loss_.next) {
    loss_.kind = Loss::Kind::kDamaged;
    go_on_behind_loss();
    return Got::kLoss;
  }
  // A truncated file is not damaged: its whole lines are valid and are returned before the loss is reported.
  cut_ = true;
  if (!checked_only_) ready_ = scanned_;
  return Got::kLine;
}

// A writer that continues a killed one's file counts frames from 0 again. Settled data was checked.
void VerifiedText::go_on_behind_loss() {
  if (loss_.next && loss_.next->frame == 0) loss_.kind = Loss::Kind::kTornOff;
  drop_text();
  ended_ = !loss_.next;
  if (loss_.next) expected_frame_ = loss_.next->frame;
}

void VerifiedText::drop_text() {
  text_.clear();
  next_ = ready_ = scanned_ = 0;
  frame_ended_ = cut_ = false;
}

void VerifiedText::seek(std::int64_t milliseconds) {
  if (marks_.empty()) marks_ = frames_->marks();
  const auto after = std::find_if(marks_.begin(), marks_.end(),
                                  [&](const auto& mark) { return mark.marker.milliseconds > milliseconds; });
  const auto mark = after == marks_.begin() ? after : std::prev(after);
  start_at(mark == marks_.end() ? 0 : mark->offset);
}

bool VerifiedText::seek_last(std::uint64_t before) {
  const auto mark = frames_->last_mark(before);
  if (mark) start_at(mark->offset);
  return mark.has_value();
}

bool VerifiedText::seek_first(std::uint64_t from) {
  const auto mark = frames_->find_marker(from);
  if (mark) start_at(mark->offset);
  return mark.has_value();
}

void VerifiedText::start_at(std::uint64_t offset) {
  drop_text();
  ended_ = false;
  expected_frame_.reset();
  sought_ = offset;
  frames_->go_to(offset);
}

}  // namespace gputop::store
