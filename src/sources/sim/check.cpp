// The limits of a simulated run: within them, every formula of sim_physics.hpp is finite.
#include <cmath>
#include <string>

#include "gputop/core/format.hpp"
#include "gputop/sources/sim_physics.hpp"

namespace gputop {
namespace {

struct Limit {
  std::string_view name;
  double value;
  double least;
  double most;
};

}  // namespace

Status check(const SimRunConfig& config) {
  const auto& work = config.workload;
  const auto bytes = [](Bytes b) { return static_cast<double>(b.value()); };
  const Limit limits[] = {
      {"batch_size", double(config.batch_size), 1, 1e6},
      {"gradient_accumulation_steps", double(config.accumulation), 1, 1e6},
      {"num_workers", double(config.workers), 0, 1024},
      {"prefetch_factor", double(config.prefetch), 1, 1024},
      {"cpu_cores", double(config.machine.cores), 1, 4096},
      {"disk_bandwidth", config.machine.disk_bandwidth, 1e3, 1e13},
      {"cached_share", config.machine.cached_share, 0, 1},
      {"parameters", work.parameters, 1, 1e13},
      {"optimizer_bytes_per_parameter", work.optimizer_bytes_per_parameter, 0, 64},
      {"flops_per_sample", work.flops_per_sample, 1, 1e18},
      {"traffic_per_sample", work.traffic_per_sample, 0, 1e15},
      {"half_full_batch", work.half_full_batch, 0, 1e6},
      {"activation_per_sample", bytes(work.activation_per_sample), 0, 1e13},
      {"sample", bytes(work.sample), 0, 1e12},
      {"workspace", bytes(work.workspace), 0, 1e13},
      {"context", bytes(work.context), 0, 1e12},
      {"cpu_per_sample", work.cpu_per_sample, 1e-9, 1e4},
      {"disk_per_sample", work.disk_per_sample, 0, 1e12},
      {"host_per_step", work.host_per_step, 0, 1e4},
      {"sync_per_step", work.sync_per_step, 0, 1e4},
  };
  for (const auto& limit : limits) {
    if (std::isfinite(limit.value) && limit.value >= limit.least && limit.value <= limit.most) continue;
    const auto text = [](double value) { return format_number(value, value == std::floor(value) ? 0 : 9); };
    return Error{Error::Kind::kInvalid, std::string{limit.name} + ": " + text(limit.value) + " is not within " +
                                            text(limit.least) + " … " + text(limit.most)};
  }
  return success();
}

}  // namespace gputop
