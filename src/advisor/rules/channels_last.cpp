// channels_last — the run is compute-bound in single precision, and its convolutions get images channel by channel.
#include "advisor/rules/precision.hpp"

namespace gputop::rules {

std::optional<Finding> channels_last(const Situation& s) {
  const auto& settings = s.facts.settings;
  if (!settings.channels_last || settings.channels_last->value || !settings.convolutions ||
      !settings.convolutions->value)
    return std::nullopt;
  auto finding = kernel_option(s, "channels_last", {1.0, 1.2});
  if (!finding) return finding;
  finding->title = "Images are stored channel by channel";
  finding->why += ", but tensor cores need an image's channels side by side (channels_last)";
  finding->risk = {.low = true, .what = "layers without a channels_last kernel copy back and forth"};
  return finding;
}

}  // namespace gputop::rules
