#include "gputop/base/own_proc.hpp"

#include <unistd.h>

#include <array>
#include <charconv>

namespace gputop {

bool proc_is_our_own() {
  static const bool own = [] {
    std::array<char, 24> self{};
    const auto size = ::readlink("/proc/self", self.data(), self.size());
    pid_t pid = 0;
    if (size > 0) std::from_chars(self.data(), self.data() + size, pid);
    return pid == ::getpid();
  }();
  return own;
}

}  // namespace gputop
