#include "sources/sim/gpu.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace gputop {
namespace {

using namespace literals;

constexpr Celsius kAmbient{30};
constexpr Celsius kWellCooled{68};  // at the full power limit
constexpr double kHeatSeconds = 30;
constexpr Bytes kDriverOnly = 3_MiB;  // what an idle card reports as used

enum Channel : unsigned { kUtilization, kMemoryUtilization, kPower, kTemperature, kSmClock, kPcie };

double whole(double value) {
  return std::round(value);
}

// Drivers report whole percents.
Percent percent(double value) {
  return Percent{std::clamp(whole(value), 0.0, 100.0)};
}

std::string two_hex(unsigned n) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  return {kDigits[n / 16 % 16], kDigits[n % 16]};
}

}  // namespace

SimGpu::SimGpu(const SimGpuSetup& setup, std::string_view scenario) : setup_(setup), noise_(scenario, setup.index) {}

GpuReading SimGpu::identity() const {
  GpuReading gpu;
  gpu.index = setup_.index;
  gpu.name = setup_.card.product;
  gpu.uuid = "GPU-SIM-00000000-0000-0000-0000-0000000000" + two_hex(setup_.index);
  gpu.pci_bus_id = "00000000:" + two_hex(setup_.index + 1) + ":00.0";
  return gpu;
}

GpuReading SimGpu::read_lost() const {
  auto gpu = identity();
  gpu.state = GpuState::kLost;
  gpu.error = "GPU is lost: it has fallen off the bus (simulated)";
  return gpu;
}

Celsius SimGpu::settled_at(Watts power) const {
  return kAmbient + (kWellCooled - kAmbient) * (power / setup_.card.power_limit / setup_.cooling);
}

Watts SimGpu::power_at(Celsius temperature) const {
  return setup_.card.power_limit * ((temperature - kAmbient) / (kWellCooled - kAmbient) * setup_.cooling);
}

// A card at its throttle temperature gets only the power that keeps it there.
SimLoad SimGpu::load(std::span<const SimTask> tasks, bool& hot) const {
  const Watts coolable = power_at(throttles_at());
  hot = temperature_ > throttles_at() - Celsius{1} && coolable < setup_.power_limit;
  return simulate_card(setup_.card, tasks, hot ? coolable : setup_.power_limit);
}

void SimGpu::warm(Instant now, Watts power) {
  if (read_at_) {
    const double seconds = std::max(0.0, to_seconds(now - *read_at_));
    temperature_ += (settled_at(power) - temperature_) * (1 - std::exp(-seconds / kHeatSeconds));
    energy_ += Joules{power.value() * seconds};
  } else {
    temperature_ = std::min(settled_at(power), throttles_at());
  }
  read_at_ = now;
}

GpuReading SimGpu::read(Instant now, std::span<const SimProcess> processes) {
  std::vector<SimTask> tasks;
  for (const auto& process : processes) tasks.push_back(process.task);
  bool hot = false;
  if (!read_at_) warm(now, load(tasks, hot).power);
  const auto load_now = load(tasks, hot);
  warm(now, load_now.power);

  const auto& card = setup_.card;
  const bool working = !processes.empty();
  const double busy = load_now.utilization.value();
  // A driver's averaging window cuts steps at random: the effect is largest near 50 %.
  const double spread = busy == 0 ? 0 : std::min(busy, 100 - busy) * 0.4 + 0.5;

  auto gpu = identity();
  gpu.utilization = percent(busy + spread * noise_.at(now, kUtilization));
  gpu.memory_utilization =
      percent(load_now.memory_utilization.value() * (1 + 0.1 * noise_.at(now, kMemoryUtilization)));
  gpu.encoder = 0_percent;
  gpu.decoder = 0_percent;
  gpu.memory_used = std::min(load_now.memory_used + kDriverOnly, card.usable());
  gpu.memory_total = card.memory;
  gpu.memory_reserved = card.reserved;
  gpu.temperature = Celsius{whole(temperature_.value() + 0.7 * noise_.at(now, kTemperature))};
  gpu.slowdown_temperature = card.slowdown;
  if (!card.datacenter) gpu.fan = setup_.cooling < 1 ? 100_percent : percent(30 + (temperature_.value() - 40) * 1.2);
  gpu.power = Watts{whole(load_now.power.value() * (1 + 0.015 * noise_.at(now, kPower)) * 10) / 10};
  gpu.power_limit = setup_.power_limit;
  gpu.max_power_limit = card.max_power_limit;
  gpu.energy = energy_;
  const double clock_steps = card.sm_clock.value() * load_now.clock / 15 + noise_.at(now, kSmClock);
  gpu.sm_clock = working ? std::min(card.sm_clock, Megahertz{whole(clock_steps) * 15}) : card.idle_sm_clock;
  gpu.memory_clock = working ? card.memory_clock : card.idle_memory_clock;
  gpu.max_sm_clock = card.sm_clock;
  gpu.max_memory_clock = card.memory_clock;
  BytesPerSecond to_card{0};
  for (const auto& run : load_now.runs) to_card += run.to_card;
  gpu.pcie_rx = BytesPerSecond{whole(to_card.value() * (1 + 0.05 * noise_.at(now, kPcie)))};
  gpu.pcie_tx = BytesPerSecond{whole(gpu.pcie_rx->value() / 20)};
  gpu.pcie = {.generation = working ? card.pcie_generation : 1,  // an idle link slows down to save power
              .width = card.pcie_width,
              .max_generation = card.pcie_generation,
              .max_width = card.pcie_width};
  gpu.performance_state = working ? (card.datacenter ? 0U : 2U) : 8U;
  gpu.persistence = true;
  auto throttle = working ? std::uint64_t{0} : static_cast<std::uint64_t>(ThrottleReason::kGpuIdle);
  if (load_now.limited) {
    throttle = static_cast<std::uint64_t>(hot ? ThrottleReason::kSoftwareThermal : ThrottleReason::kSoftwarePowerCap);
  }
  gpu.throttle = ThrottleReasons{throttle};
  gpu.compute_capability = card.capability;
  if (card.datacenter) {
    gpu.ecc_corrected = 0;
    gpu.ecc_uncorrected = 0;
    if (card.capability >= ComputeCapability{8, 0}) gpu.mig_enabled = false;
  }
  if (card.nvlinks > 0) gpu.nvlink = NvLinks{.active = card.nvlinks, .total = card.nvlinks, .errors = 0};
  gpu.processes.emplace();
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const auto& run = load_now.runs[i];
    const double share = busy == 0 ? 0 : run.utilization.value() / busy;
    gpu.processes->push_back({.pid = processes[i].pid,
                              .type = GpuProcessType::kCompute,
                              .memory_used = run.memory_used,
                              .utilization = percent(gpu.utilization->value() * share),
                              .encoder = 0_percent,
                              .decoder = 0_percent});
  }
  return gpu;
}

}  // namespace gputop
