#include "gputop/tuning/lens_override.hpp"

namespace gputop {
namespace {

LensCommand::Value value_of(const knobs::Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  if (const auto* number = std::get_if<double>(&value)) return *number;
  const auto* word = std::get_if<std::string>(&value);
  return word != nullptr ? *word : std::string{};
}

// "" if the loader has no such setting.
std::string loader_name(const std::string& knob) {
  if (knob == "workers") return "num_workers";
  if (knob == "prefetch") return "prefetch_factor";
  if (knob == "batch_size" || knob == "pin_memory" || knob == "persistent_workers") return knob;
  return {};
}

}  // namespace

std::vector<LensCommand> live_commands(const LensKnobs& knobs) {
  std::vector<LensCommand> commands;
  LensCommand loader{.op = "loader"};
  for (const auto& [knob, value] : knobs) {
    if (const auto name = loader_name(knob); !name.empty()) {
      loader.set.emplace_back(name, value_of(value));
    } else if (knob == "tf32" || knob == "cudnn_benchmark" || knob == kLearningRateScale) {
      commands.push_back({.op = knob, .value = value_of(value)});
    } else if (knob == "accumulation") {
      commands.push_back({.op = "accum", .value = value_of(value)});
    } else if (knob == "precision") {
      const bool mixed = knobs::same_value(value, knobs::Value{std::string{"amp-bf16"}});
      commands.push_back({.op = "autocast", .value = mixed ? LensCommand::Value{std::string{"bf16"}} : false});
    }
  }
  if (!loader.set.empty()) commands.push_back(std::move(loader));
  return commands;
}

std::string lens_overrides(const LensKnobs& knobs) {
  return launch_overrides(live_commands(knobs));
}

LiveWay live_way(const LensKnobs& knobs) {
  LiveWay way = knobs.empty() ? LiveWay::kNone : LiveWay::kAtOnce;
  for (const auto& [knob, value] : knobs) {
    if (std::holds_alternative<std::monostate>(value)) return LiveWay::kNone;  // the original value is unknown
    if (knob == "tf32" || knob == "cudnn_benchmark") continue;
    // A batch change would also need accumulation and learning rate, so it takes a launch.
    if (loader_name(knob).empty() || knob == "batch_size") return LiveWay::kNone;
    way = LiveWay::kNextEpoch;
  }
  return way;
}

}  // namespace gputop
