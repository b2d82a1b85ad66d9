#include "sources/host/kernel_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "sources/host/text_scan.hpp"

namespace gputop::host {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};
using FolderStream = std::unique_ptr<DIR, CloseFolder>;

}  // namespace

std::optional<std::string_view> ReadBuffer::read(const Descriptor& file, std::size_t limit) {
  if (!file) return std::nullopt;
  std::size_t size = 0;
  // The kernel returns many of these files one page at a time, ending before a line that does not fit. A read that
  // leaves room for another line on the page is the last one; a longer one may not be.
  constexpr ssize_t kSurelyLast = 3072;
  while (size < limit) {
    if (size == bytes_.size()) bytes_.resize(bytes_.size() * 2);
    const auto room = std::min(bytes_.size(), limit) - size;
    const auto got = pread(file.get(), bytes_.data() + size, room, static_cast<off_t>(size));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (got < kSurelyLast) break;
  }
  return std::string_view{bytes_.data(), size};
}

Descriptor open_file(int folder, const char* path) {
  return Descriptor{openat(folder, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
}

std::optional<std::string_view> ReadBuffer::read(int folder, const char* path, std::size_t limit) {
  return read(open_file(folder, path), limit);
}

std::optional<std::string_view> ReadBuffer::read(const std::string& path) {
  return read(AT_FDCWD, path.c_str());
}

std::optional<std::string_view> KeptFile::read(ReadBuffer& buffer) {
  if (const auto text = buffer.read(file_)) return text;
  file_ = open_file(AT_FDCWD, path_.c_str());
  return buffer.read(file_);
}

Descriptor open_folder(const std::string& path) {
  return Descriptor{::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
}

bool exists(const std::string& path) {
  return access(path.c_str(), F_OK) == 0;
}

bool has_entries(const std::string& folder) {
  const FolderStream stream{opendir(folder.c_str())};
  if (!stream) return false;
  while (const auto* entry = readdir(stream.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") return true;
  }
  return false;
}

std::vector<std::int64_t> numbered_entries(int parent, const char* folder) {
  std::vector<std::int64_t> numbers;
  Descriptor opened{openat(parent, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  const FolderStream stream{opened ? fdopendir(opened.get()) : nullptr};
  if (!stream) return numbers;
  opened.release();  // the stream closes it
  while (const auto* entry = readdir(stream.get())) {
    if (const auto number = to_number<std::int64_t>(entry->d_name)) numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace gputop::host
