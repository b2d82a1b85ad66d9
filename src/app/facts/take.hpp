// Reconciles sources: the best one counts, and those that disagree are remembered.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "gputop/advisor/facts.hpp"
#include "gputop/advisor/value_words.hpp"
#include "gputop/core/rounded_count.hpp"

namespace gputop::facts {

// Rates and shares are measured: they agree if they differ by no more than this.
inline constexpr double kTolerance = 0.15;

template <class T>
bool agree(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::abs(a - b) <= kTolerance * std::max(std::abs(a), std::abs(b));
  } else if constexpr (std::is_same_v<T, Duration>) {
    return agree(to_seconds(a), to_seconds(b));
  } else if constexpr (std::is_same_v<T, Bytes>) {
    return agree(static_cast<double>(a.value()), static_cast<double>(b.value()));
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    return is_same_count(a, b);
  } else {
    return a == b;
  }
}

class Taker {
 public:
  explicit Taker(std::vector<Disagreement>& disagreements) : disagreements_(disagreements) {}

  // In any order; of two statements from the same source the later one counts.
  template <class T>
  void operator()(const char* name, Known<T>& fact, std::type_identity_t<T> value, FactSource source, Instant at) {
    const Fact<T> said{std::move(value), source, at};
    if (!fact || fact->source == source) {
      fact = said;
      return;
    }
    const auto& taken = fact->source > source ? *fact : said;
    const auto& other = fact->source > source ? said : *fact;
    // A written value may be overridden at run time, so it does not contradict an observed one.
    if (other.source != FactSource::kWritten && !agree(taken.value, other.value)) {
      const auto words = [](const Fact<T>& one) {
        return value_words(one.value) + " (" + std::string{to_string(one.source)} + ")";
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
