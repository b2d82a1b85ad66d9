#include "exporter/textfile.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <ctime>

#include "gputop/base/files.hpp"

namespace gputop {
namespace {

// Writes under a name that the collector does not read (not *.prom), then renames. 0644: node_exporter runs as another
// user.
Status replace(const std::string& path, std::string_view text) {
  return replace_file(path, text, {.mode = 0644, .temporary = path + "." + std::to_string(::getpid()) + ".tmp"});
}

}  // namespace

std::string TextfileFolder::runs_path() const {
  return folder_ + "/gputop-runs-" + std::to_string(::geteuid()) + ".prom";
}

bool TextfileFolder::written_by_another(double interval_seconds) const {
  constexpr double kLeastSeconds = 60;
  struct stat file {};
  if (::lstat(machine_path().c_str(), &file) != 0 || file.st_uid == ::geteuid()) return false;
  const double age = std::difftime(std::time(nullptr), file.st_mtime);
  return age < std::max(kLeastSeconds, 3 * interval_seconds);
}

Status TextfileFolder::write(std::string_view machine, std::string_view runs, double interval_seconds) {
  taken_ = written_by_another(interval_seconds);
  if (!taken_) {
    if (auto written = replace(machine_path(), machine); !written) return written;
    wrote_machine_ = true;
  }
  if (!runs.empty()) return replace(runs_path(), runs);
  ::unlink(runs_path().c_str());
  return success();
}

void TextfileFolder::remove() {
  if (wrote_machine_ && !taken_) ::unlink(machine_path().c_str());
  ::unlink(runs_path().c_str());
}

}  // namespace gputop
