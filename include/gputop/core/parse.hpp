// Text → values, with errors fit to be shown: they name what was found and what would be right.
#pragma once

#include <chrono>
#include <string_view>

#include "gputop/core/result.hpp"
#include "gputop/core/units.hpp"

namespace gputop {

inline constexpr std::chrono::milliseconds kShortestInterval{100};
inline constexpr std::chrono::milliseconds kLongestInterval{60'000};

// "500ms", "2s", "1.5s", "1m", "2h". The error reads on after "interval: ".
Result<std::chrono::milliseconds> parse_duration(std::string_view text);

// The same within kShortestInterval … kLongestInterval: --interval and the key of that name.
Result<std::chrono::milliseconds> parse_interval(std::string_view text);

// "7.0GB", "512MiB", "24 G", "1024". GB is GiB: 1024³ bytes, as nvidia-smi and PyTorch count; no unit is bytes.
Result<Bytes> parse_size(std::string_view text);

// "337M", "1.3B", "7b", "4_194_304", "12k": a number of things, in thousands.
Result<double> parse_count(std::string_view text);

}  // namespace gputop
