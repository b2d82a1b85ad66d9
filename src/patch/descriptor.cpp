#include "patch/descriptor.hpp"

#include <array>
#include <cerrno>
#include <cstring>

namespace gputop::patch {

Error failed(std::string_view doing, const std::filesystem::path& path, int reason) {
  const auto kind = reason == ENOENT ? Error::Kind::kNotFound
                    : reason == EACCES || reason == EPERM || reason == EROFS || reason == ELOOP
                        ? Error::Kind::kPermission
                        : Error::Kind::kIo;
  return {kind, std::string{doing} + " " + path.string() + ": " + std::strerror(reason)};
}

Result<std::string> read_all(int fd, const std::filesystem::path& path) {
  std::string text;
  std::array<char, 16 * 1024> buffer{};
  for (;;) {
    const ssize_t count = ::pread(fd, buffer.data(), buffer.size(), static_cast<off_t>(text.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed("reading", path, errno);
    if (count == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

Status write_all(int fd, std::string_view text, const std::filesystem::path& path) {
  while (!text.empty()) {
    const ssize_t count = ::write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed("writing", path, errno);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  if (::fsync(fd) == -1) return failed("writing", path, errno);
  return success();
}

}  // namespace gputop::patch
