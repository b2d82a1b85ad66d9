#include "exporter/textfile.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

namespace gputop {
namespace {

Error failure(const std::string& path) {
  return {errno == EACCES || errno == EPERM ? Error::Kind::kPermission : Error::Kind::kIo,
          "cannot write " + path + ": " + std::strerror(errno)};
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto count = ::write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// Writes under a name that the collector does not read (not *.prom), then renames. 0644: node_exporter runs as another
// user.
Status replace(const std::string& path, std::string_view text) {
  const auto temporary = path + "." + std::to_string(::getpid()) + ".tmp";
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (fd < 0) return failure(temporary);
  const bool written = ::fchmod(fd, 0644) == 0 && write_all(fd, text);
  const int problem = errno;
  const bool closed = ::close(fd) == 0;
  if (written && closed && ::rename(temporary.c_str(), path.c_str()) == 0) return success();
  if (!written) errno = problem;
  const auto error = failure(path);
  ::unlink(temporary.c_str());
  return error;
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
