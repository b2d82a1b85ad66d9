#include "store/output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "gputop/base/descriptor.hpp"
#include "gputop/base/files.hpp"
#include "gputop/core/scan.hpp"

namespace gputop::store {
namespace {

class DiskFile : public OutputFile {
 public:
  // Offsets count from `base`; bytes before it are never touched.
  explicit DiskFile(Descriptor file, std::uint64_t base = 0) : file_(std::move(file)), base_(base) {}

  int write(std::uint64_t offset, std::string_view bytes) override {
    offset += base_;
    while (!bytes.empty()) {
      const ssize_t written = ::pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return errno;
      if (written == 0) return EIO;
      offset += static_cast<std::uint64_t>(written);
      skip_front(bytes, static_cast<std::size_t>(written));
    }
    return 0;
  }

  void truncate(std::uint64_t size) override {
    const int ignored = ::ftruncate(file_.get(), static_cast<off_t>(base_ + size));
    static_cast<void>(ignored);
  }

 private:
  Descriptor file_;
  std::uint64_t base_;
};

Error refused(const std::string& path) {
  return os_error("cannot record to " + path);
}

// Creates every missing folder above the file, private to this user.
Status make_folders(const std::filesystem::path& folder) {
  if (folder.empty() || ::access(folder.c_str(), F_OK) == 0) return success();
  if (auto above = make_folders(folder.parent_path()); !above) return above;
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return refused(folder.string());
  return success();
}

// Only one writer at a time: of two engines of a run, the killed one may not have exited yet. If the file system has no
// locks, there is no protection.
Status lock(const std::string& path, int file) {
  constexpr int kTries = 200;
  for (int i = 0; i < kTries; ++i) {
    if (::flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return success();
    ::usleep(5000);
  }
  return Error{Error::Kind::kUnavailable, "cannot record to " + path + ": another gputop is writing to it"};
}

Status check_existing(const std::string& path, int file) {
  struct stat status {};
  if (::fstat(file, &status) != 0) return refused(path);
  if (S_ISCHR(status.st_mode)) return success();  // /dev/null, /dev/full
  if (!S_ISREG(status.st_mode)) return Error{Error::Kind::kInvalid, "cannot record to " + path + ": it is not a file"};
  if (status.st_size > 0) {
    return Error{Error::Kind::kInvalid,
                 "cannot record to " + path + ": it exists and is not empty (remove it or choose another name)"};
  }
  if (::fchmod(file, 0600) != 0) return refused(path);
  return success();
}

}  // namespace

Result<std::unique_ptr<OutputFile>> open_output_file(const std::string& path) {
  const std::filesystem::path whole{path};
  if (path.empty() || !whole.has_filename()) {
    return Error{Error::Kind::kInvalid, "cannot record to \"" + path + "\": not a file name"};
  }
  if (auto made = make_folders(whole.parent_path()); !made) return made.error();
  constexpr int kFlags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  Descriptor file{::open(path.c_str(), kFlags | O_CREAT | O_EXCL, 0600)};
  const bool existed = !file && errno == EEXIST;
  if (existed) file.reset(::open(path.c_str(), kFlags));
  if (existed && !file && errno == ELOOP) {
    return Error{Error::Kind::kInvalid, "cannot record to " + path + ": it is a symbolic link"};
  }
  if (!file) return refused(path);
  if (auto locked = lock(path, file.get()); !locked) return locked.error();
  if (existed) {
    if (auto checked = check_existing(path, file.get()); !checked) return checked.error();
  }
  return std::unique_ptr<OutputFile>{new DiskFile(std::move(file))};
}

Result<bool> create_empty_file(const std::string& path) {
  if (auto made = make_folders(std::filesystem::path{path}.parent_path()); !made) return made.error();
  const Descriptor file{::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, 0600)};
  if (!file && errno != EEXIST) return refused(path);
  return static_cast<bool>(file);
}

Result<std::unique_ptr<OutputFile>> reopen_output_file(const std::string& path) {
  Descriptor file{::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
  if (!file && errno == ENOENT) return Error{Error::Kind::kNotFound, path + " is gone"};
  if (!file) return refused(path);
  if (auto locked = lock(path, file.get()); !locked) return locked.error();
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != ::geteuid()) {
    return Error{Error::Kind::kPermission, "cannot record to " + path + ": it is not a file of yours"};
  }
  return std::unique_ptr<OutputFile>{new DiskFile(std::move(file), static_cast<std::uint64_t>(status.st_size))};
}

}  // namespace gputop::store
