#include "knobs/command_words.hpp"

#include <algorithm>
#include <array>

#include "gputop/core/scan.hpp"
#include "gputop/knobs/document.hpp"
#include "knobs/numbers.hpp"

namespace gputop::knobs {
namespace {

// Modules that start another script.
constexpr std::array<std::string_view, 9> kLaunchers{"torch.distributed", "accelerate", "deepspeed",
                                                     "debugpy",           "pdb",        "cProfile",
                                                     "coverage",          "scalene",    "torch.utils.bottleneck"};

bool is_launcher(std::string_view module) {
  if (module.ends_with(".launch") || module.ends_with(".launcher")) return true;  // paddle.distributed.launch
  return std::any_of(kLaunchers.begin(), kLaunchers.end(), [&](std::string_view known) {
    return module == known || (module.starts_with(known) && char_at(module, known.size()) == '.');
  });
}

}  // namespace

std::string module_path(std::string_view module) {
  std::string path{module};
  std::replace(path.begin(), path.end(), '.', '/');
  return path + ".py";
}

bool is_flag(std::string_view word) {
  return word.size() > 1 && char_at(word, 0) == '-' && !read_number(word);
}

CommandWords read_command(const std::vector<std::string>& argv, const std::vector<std::string>& config_flags) {
  CommandWords command;
  for (std::size_t i = 0; i < argv.size(); ++i) {
    const bool named_by_flag =
        i > 0 && std::find(config_flags.begin(), config_flags.end(), argv[i - 1]) != config_flags.end();
    const bool module = argv[i] == "-m" || argv[i] == "--module";  // of python, torchrun, deepspeed and accelerate
    if (module && i + 1 < argv.size() && !is_launcher(argv[i + 1])) {
      command.script = module_path(argv[i + 1]);
      command.module = true;
      command.first_argument = i + 2;
      return command;
    }
    // bash tools/dist_train.sh configs/a.py 8: a wrapper, and what it is given.
    if (format_of(argv[i]) == Format::kShell && !is_flag(argv[i])) {
      command.script = argv[i];
      command.first_argument = i + 1;
      return command;
    }
    if (argv[i].ends_with(".py") && !is_flag(argv[i]) && !named_by_flag) {
      command.script = argv[i];
      command.first_argument = i + 1;
      return command;
    }
  }
  return command;
}

}  // namespace gputop::knobs
