#include "gputop/patch/config_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "gputop/config/text_file.hpp"

namespace gputop::patch {
namespace {

namespace fs = std::filesystem;

Error wrong(std::string message) {
  return {Error::Kind::kInvalid, std::move(message)};
}

// Hydra's: the primary configuration stands for its groups.
std::optional<std::string> primary_of(const fs::path& folder) {
  for (const char* name : {"config.yaml", "train.yaml", "main.yaml", "default.yaml"}) {
    const auto text = read_text_file(folder / name, knobs::kLargestDocument);
    if (text && ("\n" + *text).find("\ndefaults:") != std::string::npos) return (folder / name).string();
  }
  return std::nullopt;
}

Result<ConfigFiles> files_of(const std::string& folder) {
  if (auto primary = primary_of(folder)) return ConfigFiles{{*std::move(primary)}, false};
  ConfigFiles found;
  std::error_code problem;
  for (fs::directory_iterator entry{folder, problem}, end; !problem && entry != end; entry.increment(problem)) {
    const auto format = knobs::format_of(entry->path().string());
    std::error_code unknown;
    const bool config = format && *format != knobs::Format::kShell && entry->is_regular_file(unknown);
    if (config && !entry->path().filename().string().starts_with('.')) found.files.push_back(entry->path().string());
  }
  if (found.files.empty()) return wrong("--config: " + folder + " has no .yaml, .yml, .json, .toml or .py file in it");
  std::sort(found.files.begin(), found.files.end());
  found.stages = found.files.size() > 1;
  return found;
}

}  // namespace

Result<ConfigFiles> config_files(const std::vector<std::string>& names) {
  ConfigFiles all;
  for (const auto& name : names) {
    std::error_code problem;
    if (fs::is_directory(name, problem)) {
      auto inside = files_of(name);
      if (!inside) return inside;
      all.files.insert(all.files.end(), inside->files.begin(), inside->files.end());
      all.stages = all.stages || inside->stages;
      continue;
    }
    if (!knobs::format_of(name)) return wrong("--config: " + name + " is none of .yaml, .yml, .json, .toml, .py");
    if (!fs::exists(name, problem)) return Error{Error::Kind::kNotFound, "there is no file " + name};
    all.files.push_back(name);
  }
  return all;
}

knobs::RunCommand command_naming(const ConfigFiles& files) {
  knobs::RunCommand run{.argv = {"gputop"}, .environment = {}};
  for (const auto& file : files.files) run.argv.insert(run.argv.end(), {"--config", file});
  return run;
}

}  // namespace gputop::patch
