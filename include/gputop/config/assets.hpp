// The files that are part of the binary: themes/*.yaml, configs/*.yaml.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace gputop {

// The bytes of an embedded file by its path in the source tree ("themes/nord.yaml"). They live as long as the program.
std::optional<std::string_view> asset(std::string_view path);

// The paths that begin with `prefix` ("themes/"), in alphabetical order.
std::vector<std::string_view> assets_under(std::string_view prefix);

}  // namespace gputop
