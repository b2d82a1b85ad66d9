// Understands column names from people's own scripts: "GPU Util (%)", "vram_used_gb", "powerWatts".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gputop::smi {

struct MeantColumn {
  std::string_view name;  // as in columns.def
  std::string_view unit;  // "" if the name has none
};

// By the words in the name. Every word must be known: nullopt is better than taking the host's memory for a GPU's.
std::optional<MeantColumn> meant_column(std::string_view header);

}  // namespace gputop::smi
