#include "gputop/base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "gputop/base/descriptor.hpp"

namespace gputop {
namespace {

Error::Kind kind_of(int reason) {
  switch (reason) {
    case ENOENT: return Error::Kind::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS: return Error::Kind::kPermission;
    default: return Error::Kind::kIo;
  }
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, std::max<std::size_t>(slash, 1));
}

// A new file. A temporary with a fixed name may be left from a killed process.
Descriptor create(std::string& temporary, const std::string& path) {
  if (!temporary.empty()) {
    ::unlink(temporary.c_str());
    return Descriptor{::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)};
  }
  temporary = folder_of(path) + "/." + path.substr(path.rfind('/') + 1) + ".XXXXXX";
  return Descriptor{::mkostemp(temporary.data(), O_CLOEXEC)};
}

}  // namespace

Error os_error(const std::string& what, int reason) {
  return {kind_of(reason), what + ": " + std::strerror(reason)};
}

Error io_error(const std::string& what, int reason) {
  return {Error::Kind::kIo, what + ": " + std::strerror(reason)};
}

bool write_whole(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) errno = EIO;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

std::size_t read_at(int fd, char* to, std::size_t count, std::uint64_t offset) {
  while (true) {
    const ssize_t got = ::pread(fd, to, count, static_cast<off_t>(offset));
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return 0;
  }
}

std::optional<std::string> read_whole(int fd, std::size_t limit) {
  std::string text;
  std::array<char, 16 * 1024> buffer;
  while (text.size() < limit) {
    const auto room = std::min(buffer.size(), limit - text.size());
    const ssize_t count = ::pread(fd, buffer.data(), room, static_cast<off_t>(text.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return text;
}

Status replace_file(const std::string& path, std::string_view text, const FileReplacement& how) {
  std::string temporary = how.temporary;
  Descriptor file = create(temporary, path);
  if (!file) return os_error("cannot write " + path);
  bool done = ::fchmod(file.get(), how.mode) == 0 && write_whole(file.get(), text) &&
              (!how.durable || ::fsync(file.get()) == 0);
  int reason = errno;
  if (!file.close() && done) {
    done = false;
    reason = errno;
  }
  if (!done || ::rename(temporary.c_str(), path.c_str()) != 0) {
    if (done) reason = errno;
    ::unlink(temporary.c_str());
    return os_error("cannot write " + path, reason);
  }
  if (!how.durable) return success();
  const Descriptor folder{::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (folder) ::fsync(folder.get());  // some file systems cannot; the rename has happened all the same
  return success();
}

}  // namespace gputop
