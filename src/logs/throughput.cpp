#include "gputop/logs/throughput.hpp"

#include <cmath>

#include "gputop/core/format.hpp"

namespace gputop {
namespace {

// Three significant digits or so, as short as it gets.
std::string short_number(double value) {
  const double size = std::abs(value);
  if (size >= 1e6) return format_number(value / 1e6, size >= 1e8 ? 0 : 1) + "M";
  if (size >= 1e4) return format_number(value / 1e3, size >= 1e5 ? 0 : 1) + "k";
  return format_number(value, size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

std::string whole_or_short(double value) {
  return format_number(value, value == std::floor(value) ? 0 : 2);
}

}  // namespace

Reading<Throughput> throughput(const RunProgress& progress) {
  if (progress.samples_per_second) return Throughput{*progress.samples_per_second, "samples/s"};
  if (progress.tokens_per_second) return Throughput{*progress.tokens_per_second, "tokens/s"};
  if (progress.steps_per_second) return Throughput{*progress.steps_per_second, "it/s"};
  return std::nullopt;
}

std::string format_throughput(double per_second, std::string_view unit) {
  return short_number(per_second) + " " + std::string{unit};
}

std::string format_epoch(const RunProgress& progress) {
  if (!progress.epoch) return {};
  auto text = "epoch " + whole_or_short(*progress.epoch);
  if (progress.epochs) text += "/" + whole_or_short(*progress.epochs);
  return text;
}

std::string format_step(const RunProgress& progress) {
  if (!progress.step) return {};
  auto text = "step " + std::to_string(*progress.step);
  if (progress.total) text += "/" + std::to_string(*progress.total);
  return text;
}

std::string format_loss(const RunProgress& progress) {
  if (!progress.loss) return {};
  if (!std::isfinite(*progress.loss)) return std::isnan(*progress.loss) ? "loss nan" : "loss inf";
  const double size = std::abs(*progress.loss);
  return "loss " + format_number(*progress.loss, size >= 100 ? 1 : size >= 1 ? 2 : 4);
}

}  // namespace gputop
