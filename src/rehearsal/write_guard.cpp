#include "rehearsal/write_guard.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>

#include "gputop/base/descriptor.hpp"
#include "gputop/base/files.hpp"
#include "gputop/config/environment.hpp"
#include "gputop/core/scan.hpp"

namespace gputop {
namespace {

namespace fs = std::filesystem;

// linux/landlock.h, which not every system we are built on has.
constexpr long kCreateRuleset = 444;
constexpr long kAddRule = 445;
constexpr long kRestrictSelf = 446;
constexpr const char* kSharedMemory = "/dev/shm";
constexpr std::uint64_t kWriteFile = 1U << 1U;
constexpr std::uint64_t kRemoveAndMake = 0x1FF0;  // REMOVE_DIR … MAKE_SYM
constexpr std::uint64_t kRefer = 1U << 13U;       // since version 2
constexpr std::uint64_t kTruncate = 1U << 14U;    // since version 3
struct RulesetAttributes {
  std::uint64_t handled = 0;
};
struct [[gnu::packed]] PathRule {
  std::uint64_t allowed = 0;
  std::int32_t folder = -1;
};

bool inside(std::string_view path, std::string_view folder) {
  return path == folder || folder == "/" || (path.starts_with(folder) && slice(path, folder.size()).starts_with('/'));
}

bool write_to(const char* path, std::string_view text) {
  const Descriptor file{::open(path, O_WRONLY | O_CLOEXEC)};
  return file && write_whole(file.get(), text);
}

// A root that may mount needs no user namespace, in which it would lose its rights to others' files.
bool own_mounts(const std::string& user_map, const std::string& group_map) {
  if (::unshare(CLONE_NEWNS) != 0) {
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    write_to("/proc/self/setgroups", "deny");
    if (!write_to("/proc/self/uid_map", user_map) || !write_to("/proc/self/gid_map", group_map)) return false;
  }
  return ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

std::string real_path(const std::string& path) {
  std::error_code failed;
  auto real = fs::canonical(path, failed);
  return failed ? "" : real.string();
}

}  // namespace

std::vector<std::string> overlaid_folders(const std::vector<std::string>& folders, std::string_view mounts, const std::string& scratch) {
  std::vector<std::string> below;  // of which nothing may be hidden
  while (!mounts.empty()) {
    auto line = slice(mounts, 0, mounts.find('\n'));
    mounts = slice(mounts, std::min(mounts.size(), line.size() + 1));
    for (int skipped = 0; skipped < 4 && line.find(' ') != std::string_view::npos; ++skipped) line = slice(line, line.find(' ') + 1);
    below.emplace_back(slice(line, 0, line.find(' ')));
  }
  std::vector<std::string> found;
  for (const auto& folder : folders) {
    const bool plain = folder.size() > 1 && folder.find_first_of(",:\\") == std::string::npos;
    const bool hides = std::any_of(below.begin(), below.end(),
                                   [&](const std::string& mount) { return mount != folder && inside(mount, folder); });
    if (!plain || hides || inside(scratch, folder) || inside(folder, "/dev") || inside(folder, "/proc")) continue;
    if (std::any_of(found.begin(), found.end(), [&](const std::string& other) { return inside(folder, other); })) continue;
    std::erase_if(found, [&](const std::string& other) { return inside(other, folder); });
    found.push_back(folder);
  }
  return found;
}

WriteGuard::WriteGuard(const fs::path& scratch) : scratch_{real_path(scratch.string())}, report_{scratch_ + "/guard"} {
  std::error_code failed;
  working_ = fs::current_path(failed).string();
  const auto user = std::to_string(::geteuid());
  const auto group = std::to_string(::getegid());
  user_map_ = user + " " + user + " 1\n";
  group_map_ = group + " " + group + " 1\n";
  std::vector<std::string> folders{real_path(working_)};
  if (const auto home = process_environment()("HOME"); home && !home->empty()) folders.push_back(real_path(*home));
  std::ifstream file{"/proc/self/mountinfo", std::ios::binary};
  const std::string mounts{std::istreambuf_iterator<char>{file}, {}};
  if (mounts.empty() || scratch_.find_first_of(",:\\") != std::string::npos) return;
  auto overlaid = overlaid_folders(folders, mounts, scratch_);
  // Shared memory is written by every loader's workers, and may hold somebody's data set.
  if (fs::is_directory(kSharedMemory, failed)) overlaid.emplace_back(kSharedMemory);
  for (const auto& folder : overlaid) {
    const auto own = scratch_ + "/over" + std::to_string(overlays_.size());
    fs::create_directories(own + "/upper", failed);
    fs::create_directories(own + "/moving", failed);
    if (failed) return;
    overlays_.push_back({folder, "\n" + folder, "lowerdir=" + folder + ",upperdir=" + own + "/upper,workdir=" + own + "/moving,userxattr"});
  }
}

unsigned WriteGuard::overlay_folders() const {
  if (overlays_.empty() || !own_mounts(user_map_, group_map_)) return 0;
  unsigned standing = 0;
  unsigned bit = 1;
  for (const auto& overlay : overlays_) {
    if (::mount("overlay", overlay.folder.c_str(), "overlay", 0, overlay.options.c_str()) == 0) standing |= bit;
    bit <<= 1U;
  }
  return ::chdir(working_.c_str()) == 0 ? standing : 0;  // into the overlay
}

bool WriteGuard::refuse_the_rest(unsigned standing) const {
  const long version = ::syscall(kCreateRuleset, nullptr, 0, 1);
  if (version < 1) return false;
  RulesetAttributes attributes{kWriteFile | kRemoveAndMake | (version >= 2 ? kRefer : 0) | (version >= 3 ? kTruncate : 0)};
  const Descriptor rules{static_cast<int>(::syscall(kCreateRuleset, &attributes, sizeof attributes, 0))};
  if (!rules) return false;
  const auto allow = [&](const char* path) {
    const Descriptor folder{::open(path, O_PATH | O_CLOEXEC)};
    PathRule rule{attributes.handled, folder.get()};
    if (folder) ::syscall(kAddRule, rules.get(), 1, &rule, 0);
  };
  for (const auto* path : {"/dev", "/proc"}) allow(path);
  allow(scratch_.c_str());
  for (const auto& overlay : overlays_) {
    if ((standing & 1U) != 0) allow(overlay.folder.c_str());
    standing >>= 1U;
  }
  const bool refused = ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::syscall(kRestrictSelf, rules.get(), 0) == 0;
  return refused;
}

void WriteGuard::enter() const {
  const auto standing = overlay_folders();
  const bool refused = refuse_the_rest(standing);
  const Descriptor file{::open(report_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)};
  const char word = refused ? 'l' : !overlays_.empty() && standing + 1 == 1U << overlays_.size() ? 'o' : '-';
  write_whole(file.get(), {&word, 1});
  unsigned bit = 1;
  for (const auto& overlay : overlays_) {
    if ((standing & bit) != 0) write_whole(file.get(), overlay.line);
    bit <<= 1U;
  }
}

void WriteGuard::clear() const {
  for (std::size_t i = 0; i < overlays_.size(); ++i) {
    std::error_code ignored;
    // The kernel makes the inner folder, without any right.
    fs::permissions(fs::path{scratch_} / ("over" + std::to_string(i)) / "moving" / "work", fs::perms::owner_all, ignored);
  }
}

std::string WriteGuard::gap() const {
  std::ifstream file{report_, std::ios::binary};
  const auto word = file.get();
  if (word == 'l') return {};
  return word == 'o' ? "nothing that is not Python writes outside the working folder and the home: this kernel would let it"
                                : "nothing that is not Python writes files: this system has neither Landlock nor overlays to keep it from that";
}

}  // namespace gputop
