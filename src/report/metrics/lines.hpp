// Sample lines, one at a time: NAME{LABEL="VALUE",…} NUMBER.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gputop/core/reading.hpp"
#include "gputop/core/units.hpp"

namespace gputop::metrics {

enum class Family : std::uint8_t {
#define FAMILY(constant, name, type, help) constant,
#include "report/metrics/families.def"
#undef FAMILY
};

struct FamilyText {
  std::string_view name;
  std::string_view type;  // "gauge", "counter", "info"
  std::string_view help;
};
const std::vector<FamilyText>& families();

// Omits labels without a value, as Prometheus does.
using Label = std::pair<std::string_view, std::string_view>;

class Lines {
 public:
  // Labels at the beginning of all following lines.
  void begin_with(std::initializer_list<Label> labels);

  void put(Family family, double value, std::initializer_list<Label> labels = {});
  template <class T>
  void put(Family family, const Reading<T>& reading, std::initializer_list<Label> labels = {}) {
    if (!reading) return;
    if constexpr (requires { reading->value(); }) {
      put(family, static_cast<double>(reading->value()), labels);
    } else {
      put(family, static_cast<double>(*reading), labels);
    }
  }
  void put_ratio(Family family, const Reading<Percent>& reading, std::initializer_list<Label> labels = {}) {
    if (reading) put(family, reading->value() / 100, labels);
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string common_;
  std::string text_;
};

}  // namespace gputop::metrics
