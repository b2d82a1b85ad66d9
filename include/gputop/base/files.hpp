// Files read, written and replaced as a whole, and failed system calls as errors.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gputop/core/result.hpp"

namespace gputop {

// "opening a.yaml: No such file or directory". The kind follows from the reason: not found, no permission, or I/O.
Error os_error(const std::string& what, int reason = errno);
// The same, always of the kind I/O: the failure is in our own machinery, not in a file that the user named.
Error io_error(const std::string& what, int reason = errno);

// Writes all bytes, across signals and short writes, or returns false with errno. Allocates nothing.
bool write_whole(int fd, std::string_view bytes);

// A seekable file from its beginning, at most `limit` bytes; nullopt with errno.
std::optional<std::string> read_whole(int fd, std::size_t limit = std::string::npos);

// Up to `count` bytes at the offset; 0 at the end and after a read error, which ends the file there.
std::size_t read_at(int fd, char* to, std::size_t count, std::uint64_t offset);

struct FileReplacement {
  mode_t mode = 0600;
  bool durable = false;        // on the disk before this returns: survives a power failure
  std::string temporary = {};  // where to write first, in the same folder; "": a new hidden name beside the file
};
// Readers see the old text or the new one, never a part. After a failure the old file is untouched and no temporary is
// left. Replaces a symbolic link itself, not what it points to.
Status replace_file(const std::string& path, std::string_view text, const FileReplacement& how);

}  // namespace gputop
