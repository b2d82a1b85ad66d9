// Whether a line of a run's output says that its state was saved.
#pragma once

#include <string_view>

namespace gputop {

// "Saving model checkpoint to out/checkpoint-500", "=> saving checkpoint", "Model checkpoint … saved to …".
// Announcements
// ("checkpoints will be saved to …") and loading do not count.
bool is_checkpoint_line(std::string_view line);

}  // namespace gputop
