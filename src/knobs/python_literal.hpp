// One Python expression as an entry: a literal that can be edited, or a reason why it cannot.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gputop/knobs/document.hpp"
#include "knobs/python_tokens.hpp"

namespace gputop::knobs {

inline constexpr std::string_view kExpression = "an expression, not a literal";
inline constexpr std::string_view kParameter = "a parameter: whoever calls the function decides";

// Of the tokens [first, last), at least one. A sign in front of a number belongs to it.
Entry python_entry(std::string_view text,
                   const std::vector<PythonToken>& tokens,
                   std::size_t first,
                   std::size_t last,
                   std::vector<std::string> path);

// What a string token says, without quotes and prefix; escapes as written.
std::string python_string(std::string_view raw);

}  // namespace gputop::knobs
