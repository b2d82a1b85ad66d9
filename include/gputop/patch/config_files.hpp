// What --config names: files, and folders of them.
#pragma once

#include <string>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/knobs/finder.hpp"

namespace gputop::patch {

struct ConfigFiles {
  std::vector<std::string> files;
  bool stages = false;  // several of one folder: each a stage of its own
};

// Errors: there is no such file, or it is none that can be read; a folder without any.
Result<ConfigFiles> config_files(const std::vector<std::string>& names);

// A command line that names these files, to find settings by.
knobs::RunCommand command_naming(const ConfigFiles& files);

}  // namespace gputop::patch
