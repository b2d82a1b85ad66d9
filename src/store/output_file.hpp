// Where a recording's bytes go. An interface, so tests can simulate a full disk.
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

  // Writes all bytes at this offset, or returns an errno.
  virtual int write(std::uint64_t offset, std::string_view bytes) = 0;
  // Discards everything after this size. May fail: the next write at that offset overwrites it.
  virtual void truncate(std::uint64_t size) = 0;
};

// Creates a file of mode 0600, or takes an existing empty one; creates missing folders (0700). Refuses, with the
// reason, a non-empty file, a symbolic link and a folder.
Result<std::unique_ptr<OutputFile>> open_output_file(const std::string& path);

// Creates an empty file of mode 0600, with its folders as above; false: the name is taken.
Result<bool> create_empty_file(const std::string& path);

// Opens an existing recording of ours; offset 0 is its end. kNotFound if it does not exist.
Result<std::unique_ptr<OutputFile>> reopen_output_file(const std::string& path);

}  // namespace gputop::store
