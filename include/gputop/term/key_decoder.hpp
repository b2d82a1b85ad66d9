// Bytes from the terminal → ftxui::Event. No thread, no clock: feed() the input; while pending(), arm a timer of
// kEscapeWait and call flush() when it fires, which turns a lone ESC into the Escape key.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include <ftxui/component/event.hpp>

namespace gputop::term {

inline constexpr std::chrono::milliseconds kEscapeWait{50};

class KeyDecoder {
 public:
  // Keys and mouse, in order.
  using Keys = std::function<void(ftxui::Event)>;
  // Pasted text, whole and unchanged: the receiver makes it harmless. It never becomes keys.
  using Paste = std::function<void(std::string)>;
  // The terminal answered "I am well" (DSR): it has drawn everything sent before the question.
  using Reply = std::function<void()>;

  // The answer to ask_background() of osc.hpp.
  using Background = std::function<void(std::string_view)>;

  explicit KeyDecoder(Keys keys, Paste paste = {}, Reply reply = {}, Background background = {})
      : keys_(std::move(keys)),
        paste_(std::move(paste)),
        reply_(std::move(reply)),
        background_(std::move(background)) {}

  void feed(std::string_view bytes);
  [[nodiscard]] bool pending() const { return !buffer_.empty() && state_ != State::kPaste; }
  void flush();

 private:
  enum class State { kGround, kEscape, kControl, kSingleShift, kString, kUtf8, kPaste };
  void step(char byte);
  void ground(char byte);
  void escape(char byte);
  void control(char byte);
  void utf8(char byte);
  void string(char byte);
  void paste(char byte);
  void finish_control();
  void special(std::string_view sequence);
  void mouse();
  void start_over();

  Keys keys_;
  Paste paste_;
  Reply reply_;
  Background background_;
  State state_ = State::kGround;
  std::string buffer_;         // the sequence so far
  std::size_t swallowed_ = 0;  // length of a string, of which only the beginning is kept
};

}  // namespace gputop::term
