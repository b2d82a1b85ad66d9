// open_files — workers pass tensors as file descriptors.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict open_files(const Machine& machine) {
  if (!machine.limits.known) return unknown("the limits could not be read");
  if (!machine.limits.open_files) return ok("no limit");
  const auto limit = *machine.limits.open_files;
  constexpr std::uint64_t kFew = 4096;
  if (limit >= kFew) return ok(std::to_string(limit));
  const double workers = setting_number(machine, "workers").value_or(0);
  const bool tight = limit < 1024 || workers >= 8;
  if (!tight) return ok(std::to_string(limit) + " (enough for few workers)");
  return {Level::kWarn, std::to_string(limit), "\"Too many open files\" with many workers and a long prefetch",
          "ulimit -n 65536" + std::string{machine.limits.open_files_hard && *machine.limits.open_files_hard < 65536
                                              ? " (the hard limit must be raised too)"
                                              : ""},
          machine.limits.open_files_hard && *machine.limits.open_files_hard < 65536};
}

}  // namespace gputop::doctor::checks
