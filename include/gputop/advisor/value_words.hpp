// A fact's value as people read it, on the screen, in reports and where sources disagree.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gputop/advisor/facts.hpp"

namespace gputop {

std::string value_words(bool value);  // "on", "off"
std::string value_words(unsigned value);
std::string value_words(std::uint64_t value);
std::string value_words(double value);  // as many digits as say something: learning rates are small
std::string value_words(const std::string& value);
std::string value_words(Precision value);
std::string value_words(OptimizerKind value);
std::string value_words(Duration value);  // "12.3 ms", "00:40:57"
std::string value_words(Bytes value);

// What a fact or a figure is called for people: "host_gap" is "waits for Python" (docs/words.md).
std::string name_words(std::string_view name);

}  // namespace gputop
