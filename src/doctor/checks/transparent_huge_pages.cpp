// transparent_huge_pages — large host buffers are slower if it is off completely.
#include "doctor/checks.hpp"

namespace gputop::doctor::checks {

Verdict transparent_huge_pages(const Machine& machine) {
  if (!machine.transparent_pages) return unknown("the kernel does not say");
  if (*machine.transparent_pages != "never") return ok(*machine.transparent_pages);
  return {Level::kWarn, "never", "large host buffers cause more page faults: a few percent for a CPU-heavy loader",
          "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled", true};
}

}  // namespace gputop::doctor::checks
