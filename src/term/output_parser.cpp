#include "term/output_parser.hpp"

#include <algorithm>

namespace gputop::term {
namespace {

constexpr char kEscape = '\x1b';
constexpr char kCancel = '\x18';
constexpr char kSubstitute = '\x1a';

unsigned char byte_of(char c) {
  return static_cast<unsigned char>(c);
}
bool is_control(char c) {
  return byte_of(c) < 0x20 || c == 0x7F;
}

// How many bytes at the end belong to an incomplete character.
std::size_t incomplete_tail(std::string_view text) {
  for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const auto byte = byte_of(text[text.size() - back]);
    if ((byte & 0xC0U) == 0x80) continue;
    const std::size_t wanted = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1;
    return wanted > back ? back : 0;
  }
  return 0;
}

}  // namespace

void OutputParser::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    if (state_ == State::kGround) {
      bytes.remove_prefix(ground(bytes));
    } else {
      step(bytes.front());
      bytes.remove_prefix(1);
    }
  }
}

void OutputParser::flush_partial() {
  if (partial_.empty()) return;
  sink_.text(partial_);
  partial_.clear();
}

// One run of text, or one control. Returns the bytes used.
std::size_t OutputParser::ground(std::string_view bytes) {
  if (is_control(bytes.front())) {
    flush_partial();
    if (bytes.front() == kEscape) {
      state_ = State::kEscape;
      buffer_.clear();
      too_long_ = false;
    } else {
      sink_.control(bytes.front());
    }
    return 1;
  }
  const auto end = std::find_if(bytes.begin(), bytes.end(), is_control);
  auto run = bytes.substr(0, static_cast<std::size_t>(end - bytes.begin()));
  const auto used = run.size();
  while (!partial_.empty() && !run.empty()) {
    partial_ += run.front();
    run.remove_prefix(1);
    if (incomplete_tail(partial_) == 0) flush_partial();
  }
  const auto tail = end == bytes.end() ? incomplete_tail(run) : 0;
  if (run.size() > tail) sink_.text(run.substr(0, run.size() - tail));
  partial_ += run.substr(run.size() - tail);
  return used;
}

void OutputParser::step(char c) {
  if (c == kCancel || c == kSubstitute) {
    state_ = State::kGround;
    return;
  }
  switch (state_) {
    case State::kEscape: return escape(c);
    case State::kControl: return control(c);
    case State::kString:
      if (c == '\a') {
        state_ = State::kGround;
      } else if (c == kEscape) {
        state_ = State::kStringEscape;
      } else if (++swallowed_ >= longest_string_ && (c == '\n' || c == '\r')) {
        state_ = State::kGround;
        sink_.control(c);
      }
      return;
    case State::kStringEscape:
      // ESC ends the string, whatever follows; "\" only completes the end.
      state_ = State::kEscape;
      buffer_.clear();
      too_long_ = false;
      if (c == '\\') {
        state_ = State::kGround;
      } else {
        escape(c);
      }
      return;
    case State::kGround: return;
  }
}

void OutputParser::escape(char c) {
  if (c == kEscape) {
    buffer_.clear();
  } else if (is_control(c)) {
    sink_.control(c);
  } else if (byte_of(c) >= 0x80) {
    state_ = State::kGround;  // not a sequence: text continues
    ground({&c, 1});
  } else if (c < 0x30) {
    if (buffer_.size() < kLongestSequence) buffer_ += c;
  } else if (buffer_.empty() && c == '[') {
    state_ = State::kControl;
  } else if (buffer_.empty() && (c == ']' || c == 'P' || c == '_' || c == '^' || c == 'X')) {
    state_ = State::kString;
    swallowed_ = 0;
  } else {
    state_ = State::kGround;
    buffer_ += c;
    sink_.escape(buffer_);
  }
}

void OutputParser::control(char c) {
  if (c == kEscape) {
    state_ = State::kEscape;
    buffer_.clear();
    too_long_ = false;
  } else if (is_control(c)) {
    sink_.control(c);
  } else if (byte_of(c) >= 0x80) {
    state_ = State::kGround;
    ground({&c, 1});
  } else if (c >= 0x40) {
    finish_control(c);
  } else if (buffer_.size() < kLongestSequence) {
    buffer_ += c;
  } else {
    too_long_ = true;
  }
}

void OutputParser::finish_control(char final) {
  state_ = State::kGround;
  if (too_long_) return;
  std::string_view rest = buffer_;
  ControlSequence sequence{.final = final};
  if (!rest.empty() && rest.front() >= '<' && rest.front() <= '?') {
    sequence.prefix = rest.front();
    rest.remove_prefix(1);
  }
  const auto parameters = std::min(rest.find_first_not_of("0123456789;:"), rest.size());
  sequence.parameters = rest.substr(0, parameters);
  sequence.intermediates = rest.substr(parameters);
  sink_.sequence(sequence);
}

}  // namespace gputop::term
