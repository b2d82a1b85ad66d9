// Columns that scripts of people's own name in their own way: "GPU Util (%)", "vram_used_gb", "powerWatts".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gputop::smi {

struct MeantColumn {
  std::string_view name;  // as in columns.def
  std::string_view unit;  // "" when the name says none
};

// By the words the name is made of. Every one of them must be understood: nullopt is better than a host's memory taken
// for a GPU's.
std::optional<MeantColumn> meant_column(std::string_view header);

}  // namespace gputop::smi
