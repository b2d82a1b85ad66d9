#include "sources/host/affinity.hpp"

#include <sched.h>

#include <cerrno>
#include <vector>

namespace gputop::host {

Reading<unsigned> cpus_in_affinity() {
  // The kernel rejects a mask smaller than its own, and a cpu_set_t ends at 1024 CPUs.
  for (std::size_t sets = 1; sets <= 64; sets *= 2) {
    std::vector<cpu_set_t> mask(sets);
    const std::size_t bytes = sets * sizeof(cpu_set_t);
    if (sched_getaffinity(0, bytes, mask.data()) == 0) return static_cast<unsigned>(CPU_COUNT_S(bytes, mask.data()));
    if (errno != EINVAL) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace gputop::host
