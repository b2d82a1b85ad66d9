// Whether a line of a run's output says that its state was saved.
#pragma once

#include <cstdint>
#include <string_view>

namespace gputop {

enum class CheckpointLine : std::uint8_t { kNone, kBegins, kDone };
// "Saving model checkpoint to out/checkpoint-500", "=> saving checkpoint", "Model checkpoint … saved to …".
// Announcements
// ("checkpoints will be saved to …") and loading do not count.
// kDone: it says so afterwards ("saved", "wrote").
CheckpointLine read_checkpoint_line(std::string_view line);

}  // namespace gputop
