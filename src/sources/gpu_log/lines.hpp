// A log line by line, and a line word by word.
#pragma once

#include <string_view>
#include <vector>

namespace gputop::gpu_log {

// Cut off the text, without its end. A line nobody wrote by hand is given as an empty one.
std::string_view next_line(std::string_view& text);

std::string_view trimmed(std::string_view text);

// Between spaces and tabs; no more than `most`.
std::vector<std::string_view> words_of(std::string_view line, std::size_t most = 256);

}  // namespace gputop::gpu_log
