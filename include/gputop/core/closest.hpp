// "Did you mean …?": the known word nearest to a mistyped one.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace gputop {

// Fewest inserted, deleted, replaced or swapped letters, letter case ignored; nullopt when nothing is near enough to be
// meant.
std::optional<std::string_view> closest(std::string_view word, std::span<const std::string_view> known);

}  // namespace gputop
