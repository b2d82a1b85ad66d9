// cpu_threads — OMP and MKL threads of all ranks and workers against the CPUs there are.
#include <cmath>

#include "doctor/checks.hpp"
#include "gputop/core/format.hpp"

namespace gputop::doctor::checks {

Verdict cpu_threads(const Machine& machine) {
  if (!machine.host) return unknown("the host was not read");
  const double cpus = machine.host->usable_cpus.value_or(machine.host->cpu_count);
  if (cpus < 1) return unknown("the number of CPUs is unknown");
  const auto omp = environment_number(machine, "OMP_NUM_THREADS");
  const auto mkl = environment_number(machine, "MKL_NUM_THREADS");
  const double ranks = machine.ranks ? *machine.ranks : environment_number(machine, "LOCAL_WORLD_SIZE").value_or(1);
  const auto threads = omp ? omp : mkl;
  if (!threads) {
    if (ranks <= 1) return ok("not set: PyTorch uses one thread per core");
    return {Level::kWarn, "OMP_NUM_THREADS is not set, with " + format_number(ranks, 0) + " ranks",
            "torchrun and accelerate then use 1 thread a rank; other launchers let each rank start a thread per core",
            "export OMP_NUM_THREADS=" + format_number(std::max(1.0, std::floor(cpus / ranks)), 0), false};
  }
  const std::string found = "OMP_NUM_THREADS=" + format_number(*threads, 0) + " × " + format_number(ranks, 0) +
                            (ranks == 1 ? " rank" : " ranks") + " on " + format_number(cpus, 0) + " CPUs";
  if (*threads * ranks <= cpus * 1.5) return ok(found);
  return {Level::kWarn, found, "more threads than CPUs: they slow each other down",
          "export OMP_NUM_THREADS=" + format_number(std::max(1.0, std::floor(cpus / ranks)), 0), false};
}

}  // namespace gputop::doctor::checks
