// Cuts a job's bytes into lines of plain text: any bytes, cut anywhere. Colours and other sequences are dropped; what a
// carriage return, a cursor movement or backspaces overwrite is a line of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "gputop/core/time.hpp"

namespace gputop {

class LineSplitter {
 public:
  static constexpr std::size_t kLongestLine = std::size_t{64} << 10U;  // what is beyond is dropped

  struct Line {
    std::string_view text;  // until the sink returns
    Instant at;             // when its last text came
  };
  using Sink = std::function<void(const Line&)>;

  // Empty lines are not reported.
  void feed(Instant at, std::string_view bytes, const Sink& sink);
  // The line that has no end yet; it may be complete nevertheless, as the newest state of a bar is.
  [[nodiscard]] std::string_view open_line() const { return returned_ || backspaced_ ? std::string_view{} : line_; }
  // The job has ended, or bytes were lost: what is open is a line now, or is nothing any more.
  void finish(const Sink& sink);
  void drop();
  // Not within an escape sequence.
  [[nodiscard]] bool is_in_text() const { return state_ == State::kText; }

 private:
  enum class State { kText, kEscape, kControl, kString, kStringEscape };
  std::size_t take_text(Instant at, std::string_view bytes);
  void take_control(char c, const Sink& sink);
  void take_sequence(char c, const Sink& sink);
  void finish_sequence(char final, const Sink& sink);
  void emit(const Sink& sink);
  void backspace(const Sink& sink);

  State state_ = State::kText;
  std::string line_;
  Instant at_;
  bool returned_ = false;  // the last byte was a carriage return
  bool backspaced_ = false;
  unsigned parameter_ = 0;  // the first of a control sequence
  bool parameter_open_ = true;
  std::size_t swallowed_ = 0;  // of a sequence
};

}  // namespace gputop
