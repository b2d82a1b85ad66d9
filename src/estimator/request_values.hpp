// Parses single values of a request; each function returns the value, or what is wrong with the text.
#pragma once

#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gputop/core/parse.hpp"
#include "gputop/estimator/request.hpp"

namespace gputop {

// Without the spaces around it.
std::string_view trimmed(std::string_view text);

std::string quoted_value(std::string_view text);

Result<std::uint64_t> whole_number(std::string_view text, std::uint64_t least, std::uint64_t most);
Result<double> share(std::string_view text);              // 0.85 or 85%
Result<Bytes> gibibytes(std::string_view text);           // 24, or a size with a unit
Result<Bytes> size_with_unit(std::string_view text);      // 0.375GB; plain bytes only if they are a plausible size
Result<Resolution> resolution_of(std::string_view text);  // 512x1024, 224
Result<ComponentBytes> components_of(std::string_view text);
Result<std::vector<MemoryPoint>> points_of(std::string_view text);
Result<std::vector<ThroughputPoint>> rates_of(std::string_view text);

// "a,b" → {"a", "b"}, trimmed.
std::vector<std::string_view> listed(std::string_view text);

}  // namespace gputop
