// The job's terminal in the engine: what viewers see, and what is left of it at the end.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gputop/core/event.hpp"
#include "gputop/term/emulator.hpp"

namespace gputop {

// Lives on the loop's thread. Without open() there is no terminal: a headless run.
class RunOutput {
 public:
  void open(int scrollback);

  void heard(const Event& event);
  void set_scrollback(int lines);
  void resize(int columns, int rows);

  // For an engine that follows another: puts the previous output before what has arrived since.
  void expect_past() { awaits_past_ = true; }
  void remember(std::string_view past);

  [[nodiscard]] const term::Emulator* terminal() const { return terminal_ ? &*terminal_ : nullptr; }
  // The job's last output, for the user's terminal after the screen has left it.
  [[nodiscard]] std::string last_words() const;

 private:
  std::optional<term::Emulator> terminal_;
  std::size_t scrollback_ = 0;
  bool awaits_past_ = false;
  std::string recent_;  // since then
};

}  // namespace gputop
