// POSIX file handling: see text_file.hpp.
#include "gputop/config/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

namespace gputop {
namespace {

namespace fs = std::filesystem;

Error failed(std::string_view doing, const fs::path& path, int reason) {
  const auto kind = reason == ENOENT                                         ? Error::Kind::kNotFound
                    : reason == EACCES || reason == EPERM || reason == EROFS ? Error::Kind::kPermission
                                                                             : Error::Kind::kIo;
  return {kind, std::string{doing} + " " + path.string() + ": " + std::strerror(reason)};
}

class File {
 public:
  explicit File(int fd) : fd_(fd) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (fd_ != -1) ::close(fd_);
  }
  [[nodiscard]] int fd() const { return fd_; }
  int close() { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_;
};

// Where the chain of links ends, whether or not there is a file yet.
Result<fs::path> target_of(fs::path path) {
  constexpr int kMostLinks = 40;  // as the kernel has it
  for (int links = 0; links < kMostLinks; ++links) {
    std::error_code error;
    const fs::path next = fs::read_symlink(path, error);
    if (error) return path;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return failed("following", path, ELOOP);
}

int write_and_sync(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return ::fsync(fd) == 0 ? 0 : errno;
}

}  // namespace

Result<std::string> read_text_file(const fs::path& path, std::size_t limit) {
  // Non-blocking, so that opening a pipe does not wait for its other end.
  const File file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.fd() == -1) return failed("opening", path, errno);
  struct stat about {};
  if (::fstat(file.fd(), &about) == -1) return failed("reading", path, errno);
  if (!S_ISREG(about.st_mode)) return Error{Error::Kind::kInvalid, path.string() + " is not a regular file"};
  std::string text;
  std::array<char, 16 * 1024> buffer{};
  for (;;) {
    const ssize_t count = ::read(file.fd(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed("reading", path, errno);
    if (count == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > limit) {
      return Error{Error::Kind::kInvalid, path.string() + " is larger than " + std::to_string(limit / 1024) + " KiB"};
    }
  }
}

Status replace_text_file(const fs::path& path, std::string_view text) {
  const auto followed = target_of(path);
  if (!followed) return followed.error();
  const fs::path& target = *followed;
  const fs::path directory = target.has_parent_path() ? target.parent_path() : fs::path{"."};
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return failed("making the directory", directory, error.value());

  struct stat about {};
  const bool exists = ::stat(target.c_str(), &about) == 0;
  if (exists && !S_ISREG(about.st_mode)) {
    return Error{Error::Kind::kInvalid, target.string() + " is not a regular file"};
  }
  // rename() would replace a read-only file without asking; whoever made it read-only meant it.
  if (exists && ::access(target.c_str(), W_OK) == -1) return failed("writing", target, errno);

  std::string name = ".";
  name += target.filename().string() + ".XXXXXX";
  std::string temporary = (directory / name).string();
  File file{::mkostemp(temporary.data(), O_CLOEXEC)};
  if (file.fd() == -1) return failed("writing into", directory, errno);
  const mode_t mode = exists ? about.st_mode & 07777U : 0644U;
  int reason = ::fchmod(file.fd(), mode) == 0 ? 0 : errno;
  if (reason == 0) reason = write_and_sync(file.fd(), text);
  if (file.close() == -1 && reason == 0) reason = errno;
  if (reason == 0 && ::rename(temporary.c_str(), target.c_str()) == -1) reason = errno;
  if (reason != 0) {
    ::unlink(temporary.c_str());
    return failed("writing", target, reason);
  }
  const File parent{::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (parent.fd() != -1) ::fsync(parent.fd());  // some file systems cannot; the rename has happened all the same
  return success();
}

}  // namespace gputop
