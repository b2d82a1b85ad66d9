// Reads the small files of /proc, /sys and the control groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gputop/base/descriptor.hpp"

namespace gputop::host {

// A buffer that files are read into in turn: a text is valid until the next read.
class ReadBuffer {
 public:
  // The whole open file from its beginning, at most `limit` bytes; nullopt if it cannot be read (any more).
  std::optional<std::string_view> read(const Descriptor& file, std::size_t limit = kWholeFile);
  // Opens, reads and closes. `folder` as in openat().
  std::optional<std::string_view> read(int folder, const char* path, std::size_t limit = kWholeFile);
  std::optional<std::string_view> read(const std::string& path);

  static constexpr std::size_t kWholeFile = std::size_t{8} << 20U;

 private:
  std::vector<char> bytes_ = std::vector<char>(std::size_t{32} << 10U);
};

// A file that is read at every tick: stays open, and is reopened when reading fails.
class KeptFile {
 public:
  explicit KeptFile(std::string path) : path_(std::move(path)) {}
  std::optional<std::string_view> read(ReadBuffer& buffer);

 private:
  std::string path_;
  Descriptor file_;
};

Descriptor open_file(int folder, const char* path);  // for reading; `folder` as in openat()
Descriptor open_folder(const std::string& path);
bool exists(const std::string& path);
bool has_entries(const std::string& folder);

// Every entry of `folder` with a numeric name: the processes of /proc, the threads of a process.
std::vector<std::int64_t> numbered_entries(int parent, const char* folder);

}  // namespace gputop::host
