// A run's command line: launcher, script, arguments.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gputop::knobs {

struct CommandWords {
  std::optional<std::string> script;  // "tools/train.py"; of -m pkg.train: "pkg/train.py"; else a shell script
  bool module = false;                // it was given by -m
  std::size_t first_argument = 1;     // the script's own; without a script: the program's
};
CommandWords read_command(const std::vector<std::string>& argv, const std::vector<std::string>& config_flags);

std::string module_path(std::string_view module);  // "pkg.train" → "pkg/train.py"

bool is_flag(std::string_view word);  // "-b", "--lr"; not "-1", not "-"

}  // namespace gputop::knobs
