// process_limit — ranks × workers × threads are processes and threads.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict process_limit(const Machine& machine) {
  if (!machine.limits.known) return unknown("the limits could not be read");
  if (!machine.limits.processes) return ok("no limit");
  constexpr std::uint64_t kFew = 2048;
  if (*machine.limits.processes >= kFew) return ok(std::to_string(*machine.limits.processes));
  return {Level::kWarn, std::to_string(*machine.limits.processes),
          "\"Resource temporarily unavailable\" when workers or threads start", "ulimit -u 65536", true};
}

}  // namespace gputop::doctor::checks
