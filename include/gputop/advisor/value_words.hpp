// Formats a fact's value for the screen, for reports and for disagreeing sources.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gputop/advisor/facts.hpp"

namespace gputop {

std::string value_words(bool value);  // "on", "off"
std::string value_words(unsigned value);
std::string value_words(std::uint64_t value);
std::string value_words(double value);  // only significant digits: learning rates are small
std::string value_words(const std::string& value);
std::string value_words(Precision value);
std::string value_words(OptimizerKind value);
std::string value_words(Duration value);  // "12.3 ms", "00:40:57"
std::string value_words(Bytes value);

// The display name of a fact or a figure: "host_gap" is "waits for Python" (docs/words.md).
std::string name_words(std::string_view name);

}  // namespace gputop
