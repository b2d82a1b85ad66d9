// What a Python text names besides settings: modules it imports, files of settings in its strings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gputop::knobs {

struct PythonMentions {
  struct Import {
    std::string module;              // "configs.base", ".config"
    std::vector<std::string> names;  // of "from … import a, b"
  };
  std::vector<Import> imports;
  std::vector<std::string> files;  // "configs/train.yaml"
};
PythonMentions python_mentions(std::string_view text);

}  // namespace gputop::knobs
