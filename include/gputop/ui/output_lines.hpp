// Lines of a run's output: which are shown, which hold what is looked for. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "gputop/app/view.hpp"
#include "gputop/term/emulator.hpp"

namespace gputop::ui {

// The first line of a window of `height` lines at the newest output.
std::uint64_t live_top(const term::Emulator& output, int height);
// Of the window the view looks through; settles it.
std::uint64_t settled_top(const term::Emulator& output, OutputView& view, int height);

// Where the text stands in the line, as [begin, end) of its bytes. Without a capital letter in it, case does not
// matter.
std::vector<std::pair<std::size_t, std::size_t>> matches_in(std::string_view line, std::string_view text);
// Lines [begin, end) of a terminal.
struct LineRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};
// The nearest line with the text after (step 1) or before (step -1) this one. From nowhere: the first of all, or the
// last. Text that goes on in the next row counts for the row it begins in.
std::optional<std::uint64_t> find_line(const term::Emulator& output,
                                       std::string_view text,
                                       LineRange range,
                                       std::optional<std::uint64_t> from,
                                       int step);

// A traceback's beginning, the line that names an exception, a device out of memory, a crash.
bool looks_like_error(std::string_view line);
// The first such line after this one; from nowhere: the first of all.
std::optional<std::uint64_t> find_error(const term::Emulator& output,
                                        LineRange range,
                                        std::optional<std::uint64_t> after);

}  // namespace gputop::ui
