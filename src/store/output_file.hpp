// Where a recording's bytes go. An interface, so that tests can fill the disk.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "gputop/core/result.hpp"

namespace gputop::store {

class OutputFile {
 public:
  OutputFile() = default;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  virtual ~OutputFile() = default;

  // All of the bytes at this offset, or an errno.
  virtual int write(std::uint64_t offset, std::string_view bytes) = 0;
  // Forgets what stands behind this size. May fail: the next write at that offset makes it good.
  virtual void truncate(std::uint64_t size) = 0;
};

// A new file of mode 0600, or an empty one that is there; its folders are made (0700) when they are missing. Refused
// with the reason: a file that holds something, a symbolic link, a folder.
Result<std::unique_ptr<OutputFile>> open_output_file(const std::string& path);

// An empty file of mode 0600 that was not there before, with its folders as above; false: the name is taken.
Result<bool> create_empty_file(const std::string& path);

// A recording of ours that is there: offset 0 is its end. kNotFound when it is not.
Result<std::unique_ptr<OutputFile>> reopen_output_file(const std::string& path);

}  // namespace gputop::store
