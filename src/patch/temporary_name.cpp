#include "patch/temporary_name.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <string>
#include <string_view>

namespace gputop::patch {
namespace {

namespace fs = std::filesystem;

std::string prefix_for(const fs::path& target) {
  return "." + target.filename().string() + ".gputop-";
}

}  // namespace

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path{"."};
}

fs::path temporary_name(const fs::path& target) {
  static std::atomic<unsigned> count{0};
  return folder_of(target) / (prefix_for(target) + std::to_string(::getpid()) + "-" + std::to_string(count++));
}

void remove_leftovers(const fs::path& target) {
  const std::string prefix = prefix_for(target);
  std::error_code error;
  for (fs::directory_iterator entry{folder_of(target), error}, end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(prefix)) continue;
    const std::string_view rest = std::string_view{name}.substr(prefix.size());
    pid_t pid = 0;
    const auto [stop, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), pid);
    if (problem != std::errc{} || pid <= 0 || stop == rest.data() + rest.size() || *stop != '-') continue;
    if (::kill(pid, 0) == -1 && errno == ESRCH) ::unlink(entry->path().c_str());
  }
}

}  // namespace gputop::patch
