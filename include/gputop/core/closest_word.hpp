// "Did you mean …": the known word nearest to a mistyped one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gputop {

// Counts edits (insert, delete, replace, swap neighbors), ignoring case; the first word wins a tie. Returns nullopt if
// no word is close enough: more than a third of the letters would have to change.
std::optional<std::string_view> closest_word(std::string_view word, std::span<const std::string_view> known);

// " (did you mean interval?)", or "" if no word is close: the end of a message.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace gputop
