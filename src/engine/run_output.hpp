// The job's terminal as its engine keeps it: what viewers are shown, and what is left of it at the end.
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

  // An engine that follows another: what that one had is put before what has come meanwhile.
  void expect_past() { awaits_past_ = true; }
  void remember(std::string_view past);

  [[nodiscard]] const term::Emulator* terminal() const { return terminal_ ? &*terminal_ : nullptr; }
  // What the job said last, for the user's terminal once the screen has left it.
  [[nodiscard]] std::string last_words() const;

 private:
  std::optional<term::Emulator> terminal_;
  std::size_t scrollback_ = 0;
  bool awaits_past_ = false;
  std::string recent_;  // since then
};

}  // namespace gputop
