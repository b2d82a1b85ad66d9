#include "advisor/phrase.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "gputop/core/format.hpp"

namespace gputop {

std::string percent_words(double share) {
  const double percent = share * 100;
  return format_number(percent,
                       percent > 0 && percent < 9.95 && std::abs(percent - std::round(percent)) >= 0.05 ? 1 : 0) +
         " %";
}

std::string number_words(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 4).ptr;
  return {text.data(), end};
}

std::string count_words(std::uint64_t n, std::string_view one, std::string_view many) {
  return std::to_string(n) + " " + std::string{n == 1 ? one : many};
}

std::string_view who_waits(const Facts& facts) {
  return facts.gpus.empty() ? "training" : "the GPU";
}

std::string_view who_waits_first(const Facts& facts) {
  return facts.gpus.empty() ? "Training" : "The GPU";
}

}  // namespace gputop
