#include "advisor/leak.hpp"

#include "gputop/core/format.hpp"

namespace gputop {

std::optional<Leak> leak(const Situation& s,
                         const Reading<double>& bytes_per_second,
                         const Reading<Bytes>& left,
                         double limit_mib) {
  constexpr double kMebibyte = 1 << 20;
  if (!bytes_per_second || to_seconds(s.facts.age) < s.limits.leak_age) return std::nullopt;
  Leak found{.mib_in_ten_minutes = *bytes_per_second * 600 / kMebibyte, .full_in = {}};
  if (!s.above(found.mib_in_ten_minutes, limit_mib)) return std::nullopt;
  if (left) {
    const double seconds = static_cast<double>(left->value()) / *bytes_per_second;
    if (seconds > s.limits.leak_horizon * 3600) return std::nullopt;
    found.full_in = from_seconds(seconds);
  }
  return found;
}

std::string full_in_words(const Leak& leak) {
  if (!leak.full_in) return {};
  const double seconds = to_seconds(*leak.full_in);
  return "; at this pace it is full in " +
         (seconds < 120 ? format_number(seconds, 0) + " s" : format_duration(*leak.full_in));
}

}  // namespace gputop
