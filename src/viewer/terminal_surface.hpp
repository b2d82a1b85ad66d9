// This process's own terminal as a surface: keys in, frames out, driven by the loop.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gputop/core/result.hpp"
#include "gputop/term/terminal.hpp"
#include "gputop/viewer/surface.hpp"
#include "viewer/key_reader.hpp"
#include "viewer/pump_driver.hpp"

namespace gputop {

// Lives on the loop's thread. Its destruction gives the terminal back.
class TerminalSurface final : public Surface {
 public:
  struct Handlers {
    std::function<void(const ftxui::Event&)> key;
    std::function<void(std::string)> paste;
    std::function<void(int width, int height)> resized;
    std::function<void()> gone;  // the terminal was closed
    std::function<void(std::string_view)> background = [](std::string_view) {};  // the terminal reports its background color
  };

  static Result<std::unique_ptr<TerminalSurface>> open(Loop& loop, bool mouse);

  ~TerminalSurface() override;

  // Input is read from here on. Reports the size once at the start.
  void start(Handlers handlers);

  void show(term::Frame frame) override;
  [[nodiscard]] std::optional<term::Frame> spare() override { return pump_.take_spare(); }
  void repaint() override;
  void set_mouse(bool on) override;
  void say(std::string bytes) override {
    if (terminal_->is_ours()) pump_.say(std::move(bytes));
  }

 private:
  TerminalSurface(Loop& loop, std::unique_ptr<term::Terminal> terminal);
  void take_late_answer();
  void read_keys();
  void read_notices();

  std::unique_ptr<term::Terminal> terminal_;
  PumpDriver pump_;
  KeyReader keys_;
  std::unique_ptr<Loop::Watch> input_;
  std::unique_ptr<Loop::Watch> notices_;
  Handlers handlers_;
};

}  // namespace gputop
