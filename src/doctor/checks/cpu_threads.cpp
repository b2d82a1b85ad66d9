// cpu_threads — OMP and MKL threads of all ranks and workers against the CPUs there are.
#include <algorithm>
#include <cmath>

#include "doctor/checks.hpp"
#include "gputop/core/format.hpp"

namespace gputop::doctor::checks {

namespace {

std::string advised(double cpus, double ranks) {
  return "export OMP_NUM_THREADS=" + format_number(std::max(1.0, std::floor(cpus / ranks)), 0);
}

// No variable says how many: PyTorch then starts one for each core that it may run on, whatever the control group allows.
Verdict unset(const Machine& machine, double cpus, double ranks) {
  const double cores = machine.affinity ? cpus_in_list(*machine.affinity).value_or(0) : 0;
  if (ranks > 1 && machine.launcher_sets_threads) {
    if (cpus < 2 * ranks) return ok("1 thread a rank (by torchrun and accelerate), " + format_number(ranks, 0) + " ranks");
    return {Level::kWarn, "OMP_NUM_THREADS is not set, with " + format_number(ranks, 0) + " ranks",
            "torchrun and accelerate then allow 1 thread a rank, and CPU work in a rank takes longer", advised(cpus, ranks), false};
  }
  if (ranks > 1) {
    return {Level::kWarn, "OMP_NUM_THREADS is not set, with " + format_number(ranks, 0) + " ranks",
            "each rank may start a thread per core (torchrun and accelerate: 1 thread)", advised(cpus, ranks), false};
  }
  if (cores > std::max(1.0, cpus) * 1.5) {
    return {Level::kWarn, "not set: PyTorch starts " + format_number(cores, 0) + " threads per process on " + format_number(cpus, 1) + " CPUs",
            "the control group stops all of them once its share is used up", advised(cpus, 1), false};
  }
  return ok("not set: PyTorch uses one thread per core");
}

}  // namespace

Verdict cpu_threads(const Machine& machine) {
  if (!machine.host) return unknown("the host was not read");
  const double cpus = machine.host->usable_cpus.value_or(machine.host->cpu_count);
  if (!(cpus > 0)) return unknown("the number of CPUs is unknown");
  const auto omp = environment_number(machine, "OMP_NUM_THREADS");
  const auto mkl = environment_number(machine, "MKL_NUM_THREADS");
  const double ranks = std::max(1.0, machine.ranks ? *machine.ranks : environment_number(machine, "LOCAL_WORLD_SIZE").value_or(1));
  const auto threads = omp ? omp : mkl;
  if (!threads) return unset(machine, cpus, ranks);
  const std::string found = (omp ? "OMP_NUM_THREADS=" : "MKL_NUM_THREADS=") + format_number(*threads, 0) + " × " + format_number(ranks, 0) +
                            (ranks == 1 ? " rank" : " ranks") + " on " + format_number(cpus, cpus < 10 && cpus != std::floor(cpus) ? 1 : 0) + " CPUs";
  if (*threads * ranks <= std::max(1.0, cpus) * 1.5 || *threads <= 1) return ok(found);
  return {Level::kWarn, found, "more threads than CPUs: they slow each other down", advised(cpus, ranks), false};
}

}  // namespace gputop::doctor::checks
