// Splits a log into lines, and a line into words.
#pragma once

#include <string_view>
#include <vector>

namespace gputop::gpu_log {

// Removes the first line from the text and returns it without its end. Returns an implausibly long line as empty.
std::string_view next_line(std::string_view& text);

std::string_view trimmed(std::string_view text);

// Words between spaces and tabs; at most `most`.
std::vector<std::string_view> words_of(std::string_view line, std::size_t most = 256);

}  // namespace gputop::gpu_log
