#include "gputop/sources/sim_physics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "sources/sim/memory.hpp"

namespace gputop {
namespace {

// Shares of the peak that well-written kernels reach.
constexpr double kFp32Share = 0.6;
constexpr double kTf32Share = 0.75;
constexpr double kHalfShare = 0.7;
constexpr double kBandwidthShare = 0.8;
constexpr double kPageableShare = 0.35;
constexpr double kCheckpointingCost = 1.28;
constexpr double kAmpTraffic = 0.7;       // casts and fp32 norms keep it above half
constexpr double kAmpLaunches = 1.04;     // casts are kernels too
constexpr double kOptimizerTraffic = 28;  // bytes per parameter: weights, gradients and two moments, read and written
constexpr double kClockExponent = 2.5;    // voltage falls with the clock

bool is_amp(SimPrecision precision) {
  return precision == SimPrecision::kAmpFp16 || precision == SimPrecision::kAmpBf16;
}

// FLOP/s that this run reaches on this card once its batch fills it.
double flop_rate(const SimCard& card, SimPrecision precision) {
  const double fp32 = card.fp32_tflops * kFp32Share * 1e12;
  const bool ampere = card.capability >= ComputeCapability{8, 0};
  switch (precision) {
    case SimPrecision::kFp32: return fp32;
    case SimPrecision::kTf32: return ampere ? std::max(fp32, card.tf32_tflops * kTf32Share * 1e12) : fp32;
    case SimPrecision::kAmpFp16:
      return card.capability >= ComputeCapability{7, 0} ? card.half_tflops * kHalfShare * 1e12 : fp32;
    case SimPrecision::kAmpBf16:
    case SimPrecision::kBf16: return ampere ? card.half_tflops * kHalfShare * 1e12 : fp32;
  }
  return fp32;
}

double traffic_factor(SimPrecision precision) {
  if (precision == SimPrecision::kBf16) return 0.5;
  return is_amp(precision) ? kAmpTraffic : 1;
}

double compute_seconds(const SimCard& card, const SimRunConfig& config, double clock) {
  const auto& work = config.workload;
  const double flops = work.flops_per_sample / (flop_rate(card, config.precision) * clock);
  const double traffic =
      work.traffic_per_sample * traffic_factor(config.precision) / (card.bandwidth * kBandwidthShare);
  const double per_sample = std::max(flops, traffic) * (config.checkpointing ? kCheckpointingCost : 1);
  const double optimizer = work.parameters * kOptimizerTraffic / (card.bandwidth * kBandwidthShare);
  return per_sample * (config.batch_size + work.half_full_batch) + optimizer / config.accumulation;
}

// Workers that make progress at the same time.
double effective_workers(const SimRunConfig& config) {
  const double workers = config.workers;
  const double cores = config.machine.cores;
  return workers <= cores ? workers : cores / (1 + 0.02 * (workers - cores));
}

double disk_seconds_per_sample(const SimRunConfig& config) {
  return config.workload.disk_per_sample * (1 - config.machine.cached_share) / config.machine.disk_bandwidth;
}

// Seconds between two batches if only the loader is slow.
double input_seconds(const SimRunConfig& config) {
  const double cpu = config.workload.cpu_per_sample;
  const double disk = disk_seconds_per_sample(config);
  if (config.workers == 0) return config.batch_size * (cpu + disk);
  const double parallel = std::min(config.workers, config.machine.cores);
  const double unevenness = 1 + 0.15 / (parallel * config.prefetch);
  return config.batch_size * std::max(cpu / effective_workers(config), disk) * unevenness;
}

struct Timing {
  SimStep step;
  double busy_workers = 0;
};

Timing time_step(const SimCard& card, const SimRunConfig& config, const SimConditions& conditions) {
  const auto& work = config.workload;
  const double busy = compute_seconds(card, config, conditions.clock);
  const double turns = busy * (std::max(1.0, conditions.demand) - 1);  // while other runs use the card
  const double bytes = static_cast<double>(work.sample.value()) * config.batch_size;
  const double transfer =
      config.pin_memory ? std::max(0.0, bytes / card.link - busy) : bytes / (card.link * kPageableShare);
  const double launch = work.host_per_step * (is_amp(config.precision) ? kAmpLaunches : 1) *
                        (config.checkpointing ? kCheckpointingCost : 1);
  const double input = input_seconds(config);

  const auto with_host = [&](double host) {
    SimStep step{.compute = busy, .transfer = transfer, .contention = turns};
    step.host = std::max(0.0, host - busy - turns) + work.sync_per_step;
    step.input_wait = config.workers == 0 ? input : std::max(0.0, input - step.total());
    return step;
  };
  Timing timing{.step = with_host(launch), .busy_workers = 0};
  if (config.workers == 0) return timing;
  // Workers that are not waiting for queue space compete with the launching process for the cores.
  const double duty =
      std::min(1.0, config.batch_size * work.cpu_per_sample / (timing.step.total() * effective_workers(config)));
  timing.busy_workers = config.workers * duty;
  const double crowding = (1 + timing.busy_workers) / config.machine.cores;
  if (crowding > 1) timing.step = with_host(launch * crowding);
  return timing;
}

}  // namespace

std::string_view to_string(SimPrecision precision) {
  switch (precision) {
    case SimPrecision::kFp32: return "fp32";
    case SimPrecision::kTf32: return "tf32";
    case SimPrecision::kAmpFp16: return "amp-fp16";
    case SimPrecision::kAmpBf16: return "amp-bf16";
    case SimPrecision::kBf16: return "bf16";
  }
  return "?";
}

Result<SimPrecision> parse_sim_precision(std::string_view text) {
  constexpr std::array kAll{SimPrecision::kFp32, SimPrecision::kTf32, SimPrecision::kAmpFp16, SimPrecision::kAmpBf16,
                            SimPrecision::kBf16};
  for (const auto precision : kAll) {
    if (to_string(precision) == text) return precision;
  }
  if (text == "amp") return SimPrecision::kAmpFp16;
  std::string message{'"'};
  message.append(text).append("\" is not a precision (fp32, tf32, amp-fp16, amp-bf16 or bf16)");
  return Error{Error::Kind::kInvalid, std::move(message)};
}

SimOutcome simulate(const SimCard& card, const SimRunConfig& config, const SimConditions& conditions) {
  SimOutcome outcome;
  outcome.memory = memory_of(config);
  outcome.input_capacity = config.batch_size / input_seconds(config);
  outcome.epoch_start = config.workers == 0 ? 0 : 0.5 + 0.12 * config.workers;
  outcome.sm_clock = card.sm_clock * conditions.clock;
  outcome.oom = out_of_memory(card, outcome.memory, conditions.neighbours);
  const double range = (card.power_limit - card.idle_power).value();
  if (outcome.oom) {
    outcome.memory_used = outcome.oom->in_use;
    outcome.power = card.idle_power + Watts{range * 0.15};
    return outcome;
  }
  const auto timing = time_step(card, config, conditions);
  const double step = timing.step.total();
  const double share = timing.step.compute / step;
  const double filled = config.batch_size / (config.batch_size + config.workload.half_full_batch);
  outcome.step = timing.step;
  outcome.busy_workers = timing.busy_workers;
  outcome.samples_per_second = config.batch_size / step;
  outcome.utilization = Percent{100 * share};
  outcome.memory_utilization = Percent{100 * config.batch_size * config.workload.traffic_per_sample *
                                       traffic_factor(config.precision) / (card.bandwidth * kBandwidthShare) / step};
  outcome.memory_used = outcome.memory.total();
  outcome.power =
      card.idle_power +
      Watts{range * (0.15 + 0.85 * share * (0.55 + 0.45 * filled) * std::pow(conditions.clock, kClockExponent))};
  outcome.to_card = BytesPerSecond{static_cast<double>(config.workload.sample.value()) * outcome.samples_per_second};
  return outcome;
}

SimRunConfig validating(SimRunConfig config) {
  config.workload.flops_per_sample /= 3;
  config.workload.traffic_per_sample /= 3;
  config.workload.host_per_step /= 3;
  config.checkpointing = false;
  return config;
}

}  // namespace gputop
