// Puts the lens into a run: its files in a private folder, and the variables that lead Python there.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gputop/core/result.hpp"

namespace gputop {

struct LensFile {
  std::string_view path;  // inside the folder: "inject/sitecustomize.py"
  std::string_view text;
};

// Folders 0700, files 0600.
Status write_lens(const std::filesystem::path& folder, const std::vector<LensFile>& files);

struct LensLaunch {
  std::filesystem::path folder;  // of write_lens()
  std::filesystem::path socket;  // where gputop will listen
  std::string python_path;       // the PYTHONPATH the job would have had; "": none
  std::string overrides;         // for this launch: see launch_overrides()
};
std::vector<std::pair<std::string, std::string>> lens_environment(const LensLaunch& launch);

}  // namespace gputop
