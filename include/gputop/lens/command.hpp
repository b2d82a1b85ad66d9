// What gputop asks of the lens because its user applied a change: during the run, or at a relaunch.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gputop/core/reading.hpp"

namespace gputop {

struct LensCommand {
  using Value = std::variant<bool, std::int64_t, double, std::string>;
  // Names as they are sent:
  //   "loader"                  `set`: batch_size, num_workers, pin_memory, prefetch_factor, persistent_workers; of the
  //                             loader at `site`
  //   "tf32" "cudnn_benchmark"  value: on or off
  //   "autocast"                value: "bf16" or false
  //   "lr_scale"                value: the factor
  //   "accum"                   value: steps
  //   "hf"                      `set`: Hugging Face TrainingArguments; at launch only
  //   "probe" "detach"          live only
  std::string op;
  std::string site = "*";
  std::vector<std::pair<std::string, Value>> set;
  Value value = true;
  Reading<std::uint64_t> at_step;  // so all ranks change at the same one
};

// A datagram for a live switch; the answer is a LensAck with the same id.
std::string to_json(const LensCommand& command, std::uint64_t id);

// The changes for a launch (GPUTOP_LENS_SET); "" if there are none.
std::string launch_overrides(const std::vector<LensCommand>& commands);

}  // namespace gputop
