#include "gputop/base/newer_calls.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "gputop/base/descriptor.hpp"

namespace gputop {
namespace {

constexpr unsigned kCloseOnExec = 1;    // MFD_CLOEXEC
constexpr unsigned kAllowSealing = 2;   // MFD_ALLOW_SEALING
constexpr unsigned kMostDescriptors = 1U << 20U;

#ifdef SYS_close_range
constexpr long kCloseRange = SYS_close_range;
#else
constexpr long kCloseRange = 436;  // the same on every architecture
#endif

// As written by getdents64(2).
struct Entry {
  std::uint64_t inode;
  std::int64_t offset;
  unsigned short length;
  unsigned char type;
  char name[1];  // NOLINT(modernize-avoid-c-arrays)
};

// Without the heap: this runs between fork and exec. False: there is no /proc.
bool close_listed(unsigned first, unsigned last) {
  const Descriptor folder{::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!folder) return false;
  alignas(Entry) std::array<char, 4096> entries;
  bool closed = true;
  while (std::exchange(closed, false)) {  // repeat after a round that closed some, because the list has changed
    ::lseek(folder.get(), 0, SEEK_SET);
    for (long size = 0; (size = ::syscall(SYS_getdents64, folder.get(), entries.data(), entries.size())) > 0;) {
      for (long at = 0; at < size;) {
        const auto* entry = reinterpret_cast<const Entry*>(entries.data() + at);
        at += entry->length;
        if (entry->name[0] < '0' || entry->name[0] > '9') continue;
        const auto fd = static_cast<unsigned>(std::strtoul(entry->name, nullptr, 10));
        if (fd < first || fd > last || static_cast<int>(fd) == folder.get()) continue;
        closed = ::close(static_cast<int>(fd)) == 0 || closed;
      }
    }
  }
  return true;
}

int open_nameless_file(const char* name) {
  for (const char* folder : {"/dev/shm", "/tmp"}) {
    std::array<char, 64> path{};
    std::strncpy(path.data(), folder, path.size() - 1);
    std::strncat(path.data(), "/", path.size() - std::strlen(path.data()) - 1);
    std::strncat(path.data(), name, 30);
    std::strncat(path.data(), ".XXXXXX", path.size() - std::strlen(path.data()) - 1);
    const int fd = ::mkostemp(path.data(), O_CLOEXEC);
    if (fd < 0) continue;
    ::unlink(path.data());
    return fd;
  }
  return -1;
}

}  // namespace

void close_descriptors(unsigned first, unsigned last) {
  if (first > last || ::syscall(kCloseRange, first, last, 0) == 0) return;
  if (close_listed(first, last)) return;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const auto end = static_cast<unsigned>(std::min<rlim_t>({limit.rlim_cur, kMostDescriptors, rlim_t{last} + 1}));
  for (unsigned fd = first; fd < end; ++fd) ::close(static_cast<int>(fd));
}

int open_memory(const char* name, bool& sealable) {
  const int fd = static_cast<int>(::syscall(SYS_memfd_create, name, kCloseOnExec | kAllowSealing));
  sealable = fd >= 0 || errno != ENOSYS;
  return sealable ? fd : open_nameless_file(name);
}

bool fill_random(std::span<unsigned char> bytes) {
  const auto whole = static_cast<ssize_t>(bytes.size());
  if (::syscall(SYS_getrandom, bytes.data(), bytes.size(), 0) == whole) return true;
  const Descriptor device{::open("/dev/urandom", O_RDONLY | O_CLOEXEC)};
  return device && ::read(device.get(), bytes.data(), bytes.size()) == whole;
}

}  // namespace gputop
