// Reconciling: the best source's word counts, and who said otherwise is remembered.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "gputop/advisor/facts.hpp"
#include "gputop/core/format.hpp"

namespace gputop::facts {

// Rates and shares are measured: they may differ this much and still agree.
inline constexpr double kTolerance = 0.15;
inline constexpr std::uint64_t kLargeCount = 10'000;
inline constexpr double kRounding = 0.01;

template <class T>
std::string in_words(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "on" : "off";
  } else if constexpr (std::is_same_v<T, std::string>) {
    return printable(value);
  } else if constexpr (std::is_same_v<T, Bytes>) {
    return format_bytes(value);
  } else if constexpr (std::is_same_v<T, Duration>) {
    return format_number(to_seconds(value) * 1000, 1) + " ms";
  } else if constexpr (std::is_floating_point_v<T>) {
    return format_number(value, value != 0 && std::abs(value) < 0.01 ? 6 : 2);
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else {
    return std::string{to_string(value)};
  }
}

template <class T>
bool agree(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::abs(a - b) <= kTolerance * std::max(std::abs(a), std::abs(b));
  } else if constexpr (std::is_same_v<T, Duration>) {
    return agree(to_seconds(a), to_seconds(b));
  } else if constexpr (std::is_same_v<T, Bytes>) {
    return agree(static_cast<double>(a.value()), static_cast<double>(b.value()));
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    // Large counts are printed rounded: "124.44M".
    const auto larger = std::max(a, b);
    return a == b || (larger >= kLargeCount &&
                      static_cast<double>(larger - std::min(a, b)) <= kRounding * static_cast<double>(larger));
  } else {
    return a == b;
  }
}

class Taker {
 public:
  explicit Taker(std::vector<Disagreement>& disagreements) : disagreements_(disagreements) {}

  // In any order; of two words of the same source the later one counts.
  template <class T>
  void operator()(const char* name, Known<T>& fact, std::type_identity_t<T> value, FactSource source, Instant at) {
    const Fact<T> said{std::move(value), source, at};
    if (!fact || fact->source == source) {
      fact = said;
      return;
    }
    const auto& taken = fact->source > source ? *fact : said;
    const auto& other = fact->source > source ? said : *fact;
    if (!agree(taken.value, other.value)) {
      const auto words = [](const Fact<T>& one) {
        return in_words(one.value) + " (" + std::string{to_string(one.source)} + ")";
      };
      disagreements_.push_back({name, words(taken), words(other)});
    }
    fact = Fact<T>{taken};
  }

  template <class T>
  void operator()(const char* name,
                  Known<T>& fact,
                  const Reading<std::type_identity_t<T>>& value,
                  FactSource source,
                  Instant at) {
    if (value) (*this)(name, fact, *value, source, at);
  }

 private:
  std::vector<Disagreement>& disagreements_;
};

}  // namespace gputop::facts
