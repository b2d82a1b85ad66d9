#include "engine/checkpoint_files.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace gputop {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 5;
constexpr int kMostEntries = 10'000;
constexpr std::array<std::string_view, 7> kEndings{".pt", ".pth", ".ckpt", ".safetensors", ".distcp", ".keras", ".h5"};
constexpr std::array<std::string_view, 6> kOthers{"node_modules", "site-packages", "__pycache__",
                                                  "venv",         "env",           "wandb"};

bool is_checkpoint(const fs::path& path) {
  const auto ending = path.extension().string();
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

bool is_elsewhere(const fs::path& folder) {
  const auto name = folder.filename().string();
  return name.starts_with('.') || std::find(kOthers.begin(), kOthers.end(), name) != kOthers.end();
}

WallTime as_wall(fs::file_time_type time) {
  return std::chrono::time_point_cast<WallTime::duration>(fs::file_time_type::clock::to_sys(time));
}

}  // namespace

std::optional<CheckpointFile> newest_checkpoint(const fs::path& directory, WallTime since) {
  std::optional<CheckpointFile> newest;
  std::error_code problem;
  auto entry = fs::recursive_directory_iterator{directory, fs::directory_options::skip_permission_denied, problem};
  for (int count = 0; !problem && entry != fs::recursive_directory_iterator{} && count < kMostEntries; ++count) {
    std::error_code ignored;
    if (entry->is_directory(ignored) && (entry.depth() >= kDeepest || is_elsewhere(entry->path()))) {
      entry.disable_recursion_pending();
    } else if (is_checkpoint(entry->path()) && entry->is_regular_file(ignored)) {
      const auto written = as_wall(entry->last_write_time(ignored));
      if (!ignored && written >= since && (!newest || written > newest->written)) newest = {entry->path(), written};
    }
    entry.increment(problem);
  }
  if (!newest) return newest;
  // Hugging Face and others use a folder per checkpoint; a run resumes from the folder's name.
  const auto folder = newest->path.parent_path();
  const bool own = folder != directory && folder.filename().string().starts_with("checkpoint-");
  newest->path = fs::relative(own ? folder : newest->path, directory, problem);
  return newest;
}

}  // namespace gputop
