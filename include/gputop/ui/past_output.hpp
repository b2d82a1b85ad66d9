// A stretch of a run's output out of its recording, on a terminal like the one it was written to.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "gputop/core/time.hpp"
#include "gputop/term/emulator.hpp"

namespace gputop::ui {

// Positions count the bytes of output before them (store/recorded_output.hpp).
struct PastOutput {
  term::Emulator terminal;  // more than what was looked through: lines around it
  // What was looked through, and where it stands on the terminal.
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t from_line = 0;
  std::uint64_t to_line = 0;
  std::optional<std::uint64_t> found;  // the line that was looked for
  // All that is on the terminal.
  std::uint64_t shown_begin = 0;
  std::uint64_t shown_end = 0;
  std::uint64_t frame = 0;  // where in the file to go on
  Instant at;               // when it was written
};

// What became of a LookBack.
struct PastAnswer {
  std::uint64_t request = 0;
  std::unique_ptr<PastOutput> past;  // null: nothing there
  std::string problem;               // why nothing could be found, if that is the reason
};

}  // namespace gputop::ui
