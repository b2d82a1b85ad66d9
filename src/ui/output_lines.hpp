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
// The nearest line with the text after (step 1) or before (step -1) this one; goes on at the other end. From nowhere:
// the first of all, or the last.
std::optional<std::uint64_t> find_line(const term::Emulator& output,
                                       std::string_view text,
                                       std::optional<std::uint64_t> from,
                                       int step);

// A traceback's beginning, the line that names an exception, a device out of memory, a crash.
bool looks_like_error(std::string_view line);
// The first such line after this one, else the first of all.
std::optional<std::uint64_t> find_error(const term::Emulator& output, std::optional<std::uint64_t> after);

}  // namespace gputop::ui
