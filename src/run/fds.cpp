#include "run/fds.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>

#include "gputop/base/newer_calls.hpp"

namespace gputop::run {

bool is_same_file(int first, int second) {
  struct stat a {};
  struct stat b {};
  return ::fstat(first, &a) == 0 && ::fstat(second, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

FdText format_fds(const RunFds& fds) {
  FdText text{};
  char* at = text.data();
  char* const end = text.data() + text.size() - 1;
  for (const int fd : fds.all()) {
    at = std::to_chars(at, end, fd).ptr;
    *at++ = ',';
  }
  std::to_chars(at, end, fds.generation);
  return text;
}

bool parse_fds(std::string_view text, RunFds& fds) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int* target : fds.places()) {
    const auto [next, error] = std::from_chars(at, end, *target);
    if (error != std::errc{} || next == end || *next != ',') return false;
    at = next + 1;
  }
  const auto [next, error] = std::from_chars(at, end, fds.generation);
  return error == std::errc{} && next == end;
}

void close_others(const RunFds& fds, std::array<int, 4> also) {
  const auto own = fds.all();
  std::array<int, RunFds::kCount + also.size()> kept{};
  std::copy(also.begin(), also.end(), std::copy(own.begin(), own.end(), kept.begin()));
  std::sort(kept.begin(), kept.end());
  unsigned first = 3;
  for (const int fd : kept) {
    if (fd < static_cast<int>(first)) continue;
    if (static_cast<unsigned>(fd) > first) close_descriptors(first, static_cast<unsigned>(fd) - 1);
    first = static_cast<unsigned>(fd) + 1;
  }
  close_descriptors(first, ~0U);
}

void keep_through_exec(const RunFds& fds, bool keep) {
  for (const int fd : fds.all()) {
    if (fd >= 0) ::fcntl(fd, F_SETFD, keep ? 0 : FD_CLOEXEC);
  }
}

}  // namespace gputop::run
