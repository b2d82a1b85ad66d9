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

std::string amount_words(double value) {
  struct Unit {
    double size;
    const char* name;
  };
  for (const auto& unit : {Unit{1e9, "B"}, Unit{1e6, "M"}, Unit{1e3, "k"}}) {
    const double count = value / unit.size;
    if (count < 0.9995) continue;
    auto text = format_number(count, count < 9.95 ? 1 : 0);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text + unit.name;
  }
  return format_number(value, 0);
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

std::string capitalized(std::string words) {
  if (!words.empty() && words.front() >= 'a' && words.front() <= 'z') words.front() = static_cast<char>(words.front() - 'a' + 'A');
  return words;
}

std::string gpus_in_words(const Facts& facts, const std::vector<const GpuFacts*>& meant) {
  constexpr std::size_t kNamed = 4;
  if (facts.gpus.size() == 1) return "the GPU";
  if (meant.size() == 1) return "GPU " + std::to_string(meant.front()->index);
  if (meant.size() > kNamed) return std::to_string(meant.size()) + " of " + std::to_string(facts.gpus.size()) + " GPUs";
  std::string words = "GPUs ";
  for (std::size_t i = 0; i < meant.size(); ++i) {
    words += (i == 0 ? "" : i + 1 == meant.size() ? " and " : ", ") + std::to_string(meant[i]->index);
  }
  return words;
}

}  // namespace gputop
