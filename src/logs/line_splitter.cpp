#include "gputop/logs/line_splitter.hpp"

#include <algorithm>

#include "gputop/core/plain_run.hpp"
#include "gputop/core/scan.hpp"
#include "logs/text.hpp"

namespace gputop {
namespace {

constexpr std::size_t kLongestString = 4096;  // of an OSC and its like: a stray start must not hide all that follows
constexpr std::size_t kLongestSequence = 64;
constexpr unsigned kWidest = 512;  // columns a cursor is moved at most

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

}  // namespace

void LineSplitter::feed(Instant at, std::string_view bytes, const Sink& sink) {
  while (!bytes.empty()) {
    if (state_ == State::kText) {
      const auto used = take_text(at, bytes);
      if (used > 0) {
        skip_front(bytes, used);
        continue;
      }
      take_control(first_char(bytes), sink);
    } else {
      take_sequence(first_char(bytes), sink);
    }
    skip_front(bytes, 1);
  }
}

// The text at the front, up to a control. Returns its length.
std::size_t LineSplitter::take_text(Instant at, std::string_view bytes) {
  std::size_t length = plain_run(bytes);
  while (length < bytes.size() && (!is_control(char_at(bytes, length)) || char_at(bytes, length) == '\t')) {
    ++length;
    length += plain_run(slice(bytes, length));
  }
  if (length == 0) return 0;
  // What was open before a carriage return has been reported already.
  if (returned_) line_.clear();
  returned_ = false;
  backspaced_ = false;
  line_.append(slice(bytes, 0, std::min(length, kLongestLine - line_.size())));
  at_ = at;
  return length;
}

void LineSplitter::take_control(char c, const Sink& sink) {
  switch (c) {
    case '\n':
      if (!returned_) emit(sink);
      line_.clear();
      returned_ = false;
      return;
    case '\r':
      if (!returned_) emit(sink);
      returned_ = true;
      return;
    case '\b': backspace(sink); return;
    case '\x1b':
      state_ = State::kEscape;
      swallowed_ = 0;
      return;
    default: return;
  }
}

void LineSplitter::take_sequence(char c, const Sink& sink) {
  if (c == '\x18' || c == '\x1a') {
    state_ = State::kText;
    return;
  }
  switch (state_) {
    case State::kEscape:
      if (c == '[') {
        state_ = State::kControl;
        parameter_ = 0;
        parameter_open_ = true;
      } else if (c == ']' || c == 'P' || c == '_' || c == '^' || c == 'X') {
        state_ = State::kString;
      } else if (c == '\n' || c == '\r') {
        state_ = State::kText;
        take_control(c, sink);
      } else if (c < 0x20 || c >= 0x30) {
        state_ = State::kText;
      }
      return;
    case State::kControl:
      if (c == '\n' || c == '\r') {
        state_ = State::kText;
        take_control(c, sink);
      } else if (c >= 0x40 || ++swallowed_ > kLongestSequence) {
        finish_sequence(c, sink);
      } else if (logs::is_digit(c) && parameter_open_) {
        parameter_ = std::min(parameter_ * 10 + static_cast<unsigned>(c - '0'), kWidest);
      } else if (c == ';') {
        parameter_open_ = false;
      }
      return;
    case State::kString:
      if (c == '\a') state_ = State::kText;
      if (c == '\x1b') state_ = State::kStringEscape;
      if (++swallowed_ > kLongestString && (c == '\n' || c == '\r')) {
        state_ = State::kText;
        take_control(c, sink);
      }
      return;
    case State::kStringEscape: state_ = c == '\\' ? State::kText : State::kString; return;
    case State::kText: return;
  }
}

void LineSplitter::finish_sequence(char final, const Sink& sink) {
  state_ = State::kText;
  switch (final) {
    case 'A':  // the cursor goes elsewhere: to another bar, most likely
    case 'B':
    case 'E':
    case 'F':
    case 'G':
    case 'H':
    case 'f':
    case 'd':
      if (!returned_) emit(sink);
      line_.clear();
      returned_ = false;
      return;
    case 'C':
      if (!returned_) line_.append(std::min<std::size_t>(std::max(parameter_, 1U), kLongestLine - line_.size()), ' ');
      return;
    case 'K':
    case 'J':
      if (parameter_ != 2) return;  // what is right of the cursor
      if (!returned_) emit(sink);
      line_.clear();
      returned_ = false;
      return;
    default: return;
  }
}

// Keras goes back over its whole bar by backspaces.
void LineSplitter::backspace(const Sink& sink) {
  if (returned_ || line_.empty()) return;
  if (!backspaced_) emit(sink);
  backspaced_ = true;
  while (!line_.empty() && (static_cast<unsigned char>(last_char(line_)) & 0xC0U) == 0x80) line_.pop_back();
  if (!line_.empty()) line_.pop_back();
}

void LineSplitter::emit(const Sink& sink) {
  if (!line_.empty() && !backspaced_) sink({.text = line_, .at = at_});
}

void LineSplitter::finish(const Sink& sink) {
  if (!returned_) emit(sink);
  drop();
}

void LineSplitter::drop() {
  line_.clear();
  returned_ = false;
  backspaced_ = false;
  state_ = State::kText;
}

}  // namespace gputop
