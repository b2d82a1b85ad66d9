#include "patch/replacement.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "patch/temporary_name.hpp"

namespace gputop::patch {
namespace {

namespace fs = std::filesystem;

Error refused(const fs::path& path, std::string why) {
  return {Error::Kind::kPermission, path.string() + " " + std::move(why)};
}

// The file itself, and whether it is one that may be changed.
Result<fs::path> resolve(const fs::path& path, const Consent& consent) {
  struct stat about {};
  if (::lstat(path.c_str(), &about) == -1) return failed("looking at", path);
  if (!S_ISLNK(about.st_mode)) return path;
  std::error_code error;
  const fs::path target = fs::canonical(path, error);
  if (error) return failed("following", path, error.value());
  if (!consent.links) return refused(path, "is a symbolic link to " + target.string() + ": that file would be changed");
  return target;
}

Status check(const fs::path& path, const struct stat& about, const Consent& consent) {
  if (!S_ISREG(about.st_mode)) return Error{Error::Kind::kInvalid, path.string() + " is not a regular file"};
  if (about.st_uid != ::geteuid() && !consent.foreign) {
    return refused(path, "belongs to user " + std::to_string(about.st_uid) + ", not to you");
  }
  if (about.st_nlink > 1 && !consent.links) {
    return refused(path,
                   "has " + std::to_string(about.st_nlink) + " names (hard links): the others would keep the old text");
  }
  // rename() would replace a read-only file without asking; whoever made it read-only meant it.
  if ((about.st_mode & 0222U) == 0 || ::access(path.c_str(), W_OK) == -1) {
    return Error{Error::Kind::kInvalid, path.string() + " is read-only: make it writable first (chmod u+w)"};
  }
  return success();
}

Status copy_attributes(int from, int to, const struct stat& about, const fs::path& path) {
  if ((about.st_uid != ::geteuid() || about.st_gid != ::getegid()) && ::fchown(to, about.st_uid, about.st_gid) == -1) {
    return failed("keeping the owner of", path);
  }
  if (::fchmod(to, about.st_mode & 07777U) == -1) return failed("keeping the mode of", path);
  std::vector<char> names(64 * 1024);
  const ssize_t size = ::flistxattr(from, names.data(), names.size());
  if (size < 0) return errno == ENOTSUP ? success() : Status{failed("reading attributes of", path)};
  std::vector<char> value(64 * 1024);
  for (ssize_t at = 0; at < size; at += static_cast<ssize_t>(std::strlen(&names[static_cast<std::size_t>(at)])) + 1) {
    const char* name = &names[static_cast<std::size_t>(at)];
    const ssize_t length = ::fgetxattr(from, name, value.data(), value.size());
    if (length < 0) return failed("reading attributes of", path);
    // Labels of the system's own (security.*) come by themselves where one may not set them.
    const bool ours = std::strncmp(name, "user.", 5) == 0 || std::strncmp(name, "system.posix_acl", 16) == 0;
    if (::fsetxattr(to, name, value.data(), static_cast<std::size_t>(length), 0) == -1 && ours) {
      return failed("keeping attribute " + std::string{name} + " of", path);
    }
  }
  return success();
}

// Swaps two names in one step. False when the file system cannot, or the kernel.
bool exchange(const fs::path& a, const fs::path& b) {
  constexpr unsigned kExchange = 2;  // RENAME_EXCHANGE
  return ::syscall(SYS_renameat2, AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), kExchange) == 0;
}

void sync_folder(const fs::path& file) {
  const Descriptor folder{::open(folder_of(file).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (folder) ::fsync(folder.get());  // some file systems cannot; the rename has happened all the same
}

bool same_moment(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

Error changed(const fs::path& path) {
  return {Error::Kind::kMismatch,
          path.string() + " was changed by somebody else meanwhile: nothing was written; try again"};
}

}  // namespace

Replacement::Replacement(Replacement&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      before_(std::move(other.before_)),
      about_(other.about_),
      exchanged_(other.exchanged_) {}

Replacement::~Replacement() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<Replacement> Replacement::prepare(const FileEdit& edit, const Consent& consent) {
  auto target = resolve(edit.path, consent);
  if (!target) return target.error();
  Replacement replacement;
  replacement.target_ = *std::move(target);
  replacement.before_ = edit.before;
  const fs::path& path = replacement.target_;

  const Descriptor old{::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)};
  if (!old) return failed("opening", path);
  if (::fstat(old.get(), &replacement.about_) == -1) return failed("looking at", path);
  if (auto good = check(path, replacement.about_, consent); !good) return good.error();
  const auto text = read_all(old.get(), path);
  if (!text) return text.error();
  if (*text != edit.before) return changed(path);

  remove_leftovers(path);
  const fs::path temporary = temporary_name(path);
  const Descriptor file{::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)};
  if (!file) return failed("writing beside", path);
  replacement.temporary_ = temporary;
  if (auto done = copy_attributes(old.get(), file.get(), replacement.about_, path); !done) return done.error();
  if (auto done = write_all(file.get(), edit.after, path); !done) return done.error();
  return replacement;
}

Result<fs::path> Replacement::back_up() const {
  const auto create = [&](const fs::path& path) {
    return Descriptor{
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, about_.st_mode & 0777U)};
  };
  const fs::path temporary = temporary_name(target_);
  const Descriptor file = create(temporary);
  if (!file) return failed("writing beside", target_);
  Status done = write_all(file.get(), before_, temporary);
  fs::path backup;
  // Neither link() nor O_EXCL ever replaces: a name that is taken is somebody's. link() also makes it whole at once.
  for (unsigned number = 0; done.ok() && backup.empty(); ++number) {
    fs::path name = target_.string() + ".backup" + (number == 0 ? "" : "." + std::to_string(number));
    if (::link(temporary.c_str(), name.c_str()) == 0) {
      backup = std::move(name);
    } else if (errno == EPERM || errno == ENOTSUP) {  // a file system without links
      const Descriptor copy = create(name);
      if (copy) {
        done = write_all(copy.get(), before_, name);
        backup = std::move(name);
      } else if (errno != EEXIST) {
        done = failed("keeping a copy as", name);
      }
    } else if (errno != EEXIST) {
      done = failed("keeping a copy as", name);
    }
  }
  ::unlink(temporary.c_str());
  if (!done) return done.error();
  return backup;
}

Status Replacement::check_unchanged(const fs::path& path) const {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)};
  struct stat now {};
  if (!file || ::fstat(file.get(), &now) == -1) return changed(target_);
  const bool same = now.st_dev == about_.st_dev && now.st_ino == about_.st_ino && now.st_size == about_.st_size &&
                    same_moment(now.st_mtim, about_.st_mtim);
  const auto text = read_all(file.get(), path);
  if (!same || !text || *text != before_) return changed(target_);
  return success();
}

Status Replacement::commit() {
  if (auto good = check_unchanged(target_); !good) return good;
  if (exchange(temporary_, target_)) {
    exchanged_ = true;
    // If somebody saved between the check and the exchange, the temporary name now holds their version.
    if (auto good = check_unchanged(temporary_); !good) {
      if (auto back = take_back(); !back) return back;
      return good;
    }
  } else if (::rename(temporary_.c_str(), target_.c_str()) == 0) {
    temporary_.clear();
  } else {
    return failed("replacing", target_);
  }
  sync_folder(target_);
  return success();
}

Status Replacement::take_back() {
  if (exchanged_) {
    if (!exchange(temporary_, target_)) return failed("putting back", target_);
    exchanged_ = false;
    sync_folder(target_);
    return success();
  }
  // The predecessor is gone; its bytes are not.
  const Descriptor file{::open(target_.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)};
  if (!file) return failed("opening", target_);
  const auto text = read_all(file.get(), target_);
  if (!text) return text.error();
  auto back = prepare({target_, *text, before_}, {.links = true, .foreign = true});
  if (!back) return back.error();
  return back->commit();
}

}  // namespace gputop::patch
