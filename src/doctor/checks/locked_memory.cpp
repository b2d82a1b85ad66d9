// locked_memory — RDMA (InfiniBand, RoCE) registers memory, which counts as locked.
#include "doctor/checks.hpp"
#include "gputop/core/format.hpp"

namespace gputop::doctor::checks {

Verdict locked_memory(const Machine& machine) {
  if (!machine.limits.known) return unknown("the limits could not be read");
  if (!machine.limits.locked_bytes) return ok("no limit");
  const std::string limit = format_bytes(Bytes{*machine.limits.locked_bytes});
  const bool many_nodes = environment_number(machine, "SLURM_NNODES").value_or(1) > 1;
  constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30U;
  if (!many_nodes || *machine.limits.locked_bytes >= kPlenty)
    return ok(limit + (many_nodes ? "" : " (matters for InfiniBand only)"));
  return {Level::kWarn, limit, "NCCL over InfiniBand fails to register memory, or falls back to TCP",
          "ulimit -l unlimited (docker run --ulimit memlock=-1)", true};
}

}  // namespace gputop::doctor::checks
