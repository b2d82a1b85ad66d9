#include "run/fds.hpp"

#include <fcntl.h>

#include <charconv>

namespace gputop::run {

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
  const std::array<int*, RunFds::kCount> targets{&fds.shared,     &fds.wake,      &fds.control,   &fds.input[0],
                                                 &fds.input[1],   &fds.output[0], &fds.output[1], &fds.job_end[0],
                                                 &fds.job_end[1], &fds.report};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int* target : targets) {
    const auto [next, error] = std::from_chars(at, end, *target);
    if (error != std::errc{} || next == end || *next != ',') return false;
    at = next + 1;
  }
  const auto [next, error] = std::from_chars(at, end, fds.generation);
  return error == std::errc{} && next == end;
}

void keep_through_exec(const RunFds& fds, bool keep) {
  for (const int fd : fds.all()) {
    if (fd >= 0) ::fcntl(fd, F_SETFD, keep ? 0 : FD_CLOEXEC);
  }
}

}  // namespace gputop::run
