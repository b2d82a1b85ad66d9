// Process-wide state, as in tty_guard.cpp and for its reason.
#include "term/held_stderr.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string_view>

#include "gputop/base/newer_calls.hpp"

namespace gputop::term::held_stderr {
namespace {

constexpr const char* kName = "gputop-stderr";
constexpr off_t kMost = 64 * 1024;  // what comes after it is lost

struct State {
  std::atomic<int> terminal{-1};
  std::atomic<int> file{-1};
};
State state;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

// A process that started itself anew in the middle of its screen has the file of the one before.
bool is_held_already() {
  std::array<char, 64> target{};
  const ssize_t length = ::readlink("/proc/self/fd/2", target.data(), target.size());
  return length > 0 && std::string_view{target.data(), static_cast<std::size_t>(length)}.find(kName) != std::string_view::npos;
}

bool same_terminal(int a, int b) {
  struct stat one {};
  struct stat other {};
  return ::isatty(a) == 1 && ::isatty(b) == 1 && ::fstat(a, &one) == 0 && ::fstat(b, &other) == 0 &&
         one.st_rdev == other.st_rdev;
}

}  // namespace

void prepare(int terminal) {
  if (is_held_already()) ::dup2(terminal, STDERR_FILENO);
  if (state.file != -1 || !same_terminal(terminal, STDERR_FILENO)) return;
  bool sealable = false;
  const int file = open_memory(kName, sealable);
  if (file == -1) return;  // stderr stays where it is
  const int kept = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  const bool bounded = sealable && ::ftruncate(file, kMost) == 0 && ::fcntl(file, F_ADD_SEALS, F_SEAL_GROW) == 0;
  if (kept == -1 || !bounded) {
    ::close(file);
    if (kept != -1) ::close(kept);
    return;
  }
  state.terminal = kept;
  state.file = file;
}

void hold() {
  if (state.file != -1) ::dup2(state.file, STDERR_FILENO);
}

void release() {
  if (state.file == -1) return;
  ::dup2(state.terminal, STDERR_FILENO);
  const off_t end = ::lseek(state.file, 0, SEEK_CUR);
  std::array<char, 1024> part{};
  for (off_t at = 0; at < end;) {
    const auto wanted = std::min(part.size(), static_cast<std::size_t>(end - at));
    const ssize_t count = ::pread(state.file, part.data(), wanted, at);
    if (count <= 0 || ::write(STDERR_FILENO, part.data(), static_cast<std::size_t>(count)) != count) break;
    at += count;
  }
  ::lseek(state.file, 0, SEEK_SET);
}

}  // namespace gputop::term::held_stderr
