// A number that may change with the scenario's time.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fake_nvml {

class Value {
 public:
  enum class Shape { kSteps, kLinear, kCycle, kWave, kFile };

  Value() = default;
  explicit Value(double constant) : points_{{0, constant}} {}
  Value(Shape shape, std::vector<std::pair<double, double>> points, double period = 0)
      : shape_(shape), period_(period), points_(std::move(points)) {}

  explicit Value(std::string file) : shape_(Shape::kFile), file_(std::move(file)) {}

  [[nodiscard]] double at(double seconds) const;

 private:
  Shape shape_ = Shape::kSteps;
  double period_ = 0;
  std::string file_;  // holds the number
  std::vector<std::pair<double, double>> points_;  // second, value; of a cycle and a wave only the values count
};

// "12.5", "0x4", "24GiB", "512MiB", "on", "off", "10+5i" (i: the GPU's number), "sw_power_cap+hw_slowdown". nullopt: no
// number.
std::optional<double> parse_number(const std::string& text, unsigned gpu);

// "20ms", "50us", "1.5s", "forever", or plain seconds.
std::optional<double> parse_seconds(const std::string& text);

// One number, or a shape: steps 0:10 5:90 | linear 0:0 60:100 | cycle 0.5 10 20 30 | wave 10 90 20 | file PATH. Throws std::string.
Value parse_value(const std::vector<std::string>& words, std::size_t from, unsigned gpu);

}  // namespace fake_nvml
