#include <sys/auxv.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstdlib>

#include "gputop/run/launch.hpp"

namespace gputop::run {

const char* self_path() {
  static std::array<char, PATH_MAX> path{"/proc/self/exe"};
  static bool known = false;
  if (!std::exchange(known, true) && ::access(path.data(), X_OK) != 0) {
    const auto* started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));  // NOLINT(performance-no-int-to-ptr)
    if (started != nullptr && ::realpath(started, path.data()) == nullptr) path = {"/proc/self/exe"};
  }
  return path.data();
}

}  // namespace gputop::run
