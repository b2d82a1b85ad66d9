#include "gputop/core/run_end.hpp"

#include <array>

namespace gputop {

std::string_view to_string(EndKind kind) {
  static constexpr std::array<std::string_view, 12> kNames = {"running",      "finished", "failed",        "exception",
                                                              "gpu_oom",      "host_oom", "shm_exhausted", "segfault",
                                                              "nccl_timeout", "xid",      "killed",        "unknown"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string_view to_string(GpuOom::Kind kind) {
  static constexpr std::array<std::string_view, 5> kNames = {"too_big", "fragmentation", "neighbour", "cap", "unclear"};
  return kNames.at(static_cast<std::size_t>(kind));
}

}  // namespace gputop
