// Number formats of the advisor.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/advisor/facts.hpp"

namespace gputop {

std::string percent_words(double share);  // 0.41 → "41 %"
std::string number_words(double value);   // up to four significant digits, no trailing zeros: "0.0004", "12.5"
std::string amount_words(double value);   // 559738 → "560k", 3.7e6 → "3.7M"
std::string count_words(std::uint64_t n, std::string_view one, std::string_view many);  // "1 worker", "6 workers"

// What waits: "the GPU", or "training" on a machine without one.
std::string_view who_waits(const Facts& facts);
// The same at the beginning of a sentence.
std::string_view who_waits_first(const Facts& facts);

std::string capitalized(std::string words);

// The GPUs a finding is about: "the GPU" on a machine with one, "GPU 4", "GPUs 4, 5 and 9", "16 of 64 GPUs".
std::string gpus_in_words(const Facts& facts, const std::vector<const GpuFacts*>& meant);

}  // namespace gputop
