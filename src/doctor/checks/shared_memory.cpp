// shared_memory — /dev/shm must hold the batches that loader workers hand over.
#include "doctor/checks.hpp"
#include "gputop/core/format.hpp"

namespace gputop::doctor::checks {

Verdict shared_memory(const Machine& machine) {
  if (!machine.host || !machine.host->shm_total) return unknown("/dev/shm is not there");
  const Bytes total = *machine.host->shm_total;
  const Bytes used = machine.host->shm_used.value_or(Bytes{0});
  const std::string size = format_bytes(total) + ", " + format_bytes(used) + " used";
  const std::string fix =
      machine.container
          ? "docker run --shm-size=8g (or --ipc=host); Kubernetes: an emptyDir with medium: Memory at /dev/shm"
          : "mount -o remount,size=50% /dev/shm";
  constexpr Bytes kContainerDefault{std::uint64_t{64} << 20U};
  const double workers = setting_number(machine, "workers").value_or(0);
  const std::string cost = "loader workers die with \"Bus error\" or \"unable to write to file\"";
  if (total <= kContainerDefault) {
    return {workers > 0 ? Level::kBad : Level::kWarn, size + (machine.container ? " (a container's default)" : ""),
            cost, fix, !machine.container};
  }
  if (total.value() > 0 && used / total > 0.9)
    return {Level::kBad, size, cost, "remove what is left there: ls -l /dev/shm", false};
  return ok(size);
}

}  // namespace gputop::doctor::checks
