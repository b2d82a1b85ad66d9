#include "patch/file_io.hpp"

#include "gputop/base/files.hpp"

namespace gputop::patch {

Error failed(std::string_view doing, const std::filesystem::path& path, int reason) {
  return os_error(std::string{doing} + " " + path.string(), reason);
}

Result<std::string> read_all(int fd, const std::filesystem::path& path) {
  auto text = read_whole(fd);
  if (!text) return failed("reading", path);
  return *std::move(text);
}

Status write_all(int fd, std::string_view text, const std::filesystem::path& path) {
  if (!write_whole(fd, text) || ::fsync(fd) == -1) return failed("writing", path);
  return success();
}

}  // namespace gputop::patch
