// POSIX file handling: see text_file.hpp.
#include "gputop/config/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "gputop/base/descriptor.hpp"
#include "gputop/base/files.hpp"

namespace gputop {
namespace {

namespace fs = std::filesystem;

Error failed(std::string_view doing, const fs::path& path, int reason = errno) {
  return os_error(std::string{doing} + " " + path.string(), reason);
}

// The end of the chain of links, whether or not that file exists.
Result<fs::path> target_of(fs::path path) {
  constexpr int kMostLinks = 40;  // as in the kernel
  for (int links = 0; links < kMostLinks; ++links) {
    std::error_code error;
    const fs::path next = fs::read_symlink(path, error);
    if (error) return path;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return failed("following", path, ELOOP);
}

}  // namespace

Result<std::string> read_text_file(const fs::path& path, std::size_t limit) {
  // Non-blocking, so opening a pipe does not wait for its other end.
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (!file) return failed("opening", path);
  struct stat about {};
  if (::fstat(file.get(), &about) == -1) return failed("reading", path);
  if (!S_ISREG(about.st_mode)) return Error{Error::Kind::kInvalid, path.string() + " is not a regular file"};
  auto text = read_whole(file.get(), limit + 1);
  if (!text) return failed("reading", path);
  if (text->size() > limit) {
    return Error{Error::Kind::kInvalid, path.string() + " is larger than " + std::to_string(limit / 1024) + " KiB"};
  }
  return *std::move(text);
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
  // rename() would replace a read-only file without asking; whoever made it read-only did so on purpose.
  if (exists && ::access(target.c_str(), W_OK) == -1) return failed("writing", target);
  return replace_file(target.string(), text, {.mode = exists ? about.st_mode & 07777U : 0644U, .durable = true});
}

}  // namespace gputop
