// Splits a job's bytes into text, controls and whole sequences. Knows the shape of sequences, not their meaning.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gputop::term {

// A control sequence: ESC [ prefix parameters intermediates final.
struct ControlSequence {
  char prefix = 0;              // one of < = > ?, or 0
  std::string_view parameters;  // digits, ';' and ':'
  std::string_view intermediates;
  char final = 0;
};

// Holds at most one sequence of kLongestSequence bytes. Strings (OSC, DCS, APC, PM, SOS) are swallowed up to their end,
// or up to the end of the line in which they reach longest_string bytes: a picture is one long line, and a stray start
// cannot hide everything after it.
class OutputParser {
 public:
  static constexpr std::size_t kLongestSequence = 256;

  class Sink {
   public:
    virtual ~Sink() = default;
    virtual void text(
        std::string_view utf8) = 0;  // no controls; may contain invalid UTF-8, but is never cut within a character
    virtual void control(char c) = 0;
    virtual void escape(std::string_view sequence) = 0;  // everything after ESC: intermediates and a final
    virtual void sequence(const ControlSequence& sequence) = 0;
  };

  explicit OutputParser(Sink& sink, std::size_t longest_string) : sink_(sink), longest_string_(longest_string) {}

  void feed(std::string_view bytes);
  // No sequence or character is incomplete.
  [[nodiscard]] bool idle() const { return state_ == State::kGround && partial_.empty(); }

 private:
  enum class State { kGround, kEscape, kControl, kString, kStringEscape };
  std::size_t ground(std::string_view bytes);
  void step(char c);
  void escape(char c);
  void control(char c);
  void finish_control(char final);
  void flush_partial();

  Sink& sink_;
  std::size_t longest_string_;
  State state_ = State::kGround;
  std::string partial_;        // an incomplete character at the end of the input
  std::string buffer_;         // the sequence so far
  bool too_long_ = false;      // to be dropped at its end
  std::size_t swallowed_ = 0;  // bytes of a string
};

}  // namespace gputop::term
