// swap — memory that was swapped out to disk.
#include "doctor/checks.hpp"
#include "gputop/core/format.hpp"

namespace gputop::doctor::checks {

Verdict swap(const Machine& machine) {
  if (!machine.host || !machine.host->swap_total || !machine.host->swap_used) return unknown("the kernel does not say");
  const auto used = *machine.host->swap_used;
  if (machine.host->swap_total->value() == 0) return ok("none");
  constexpr Bytes kLittle{std::uint64_t{256} << 20U};
  if (used < kLittle) return ok(format_bytes(used) + " used");
  const bool pressed = machine.host->memory_pressure.some && machine.host->memory_pressure.some->value() > 5;
  return {pressed ? Level::kBad : Level::kWarn,
          format_bytes(used) + " used" + (pressed ? ", and programs wait for memory right now" : ""),
          "reading it back waits for the disk", "free memory before the run, or use fewer workers and less prefetch",
          false};
}

}  // namespace gputop::doctor::checks
