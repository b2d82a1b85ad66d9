// What the simulator does not do: failures, ranks, pairs around a limit, two problems at once.
#include "traces/dice.hpp"
#include "traces/trace.hpp"

namespace gputop::traces {
namespace {

using namespace literals;
using Edit = std::function<void(Facts&)>;

template <class T>
Known<T> lens(T value) {
  return Fact<T>{std::move(value), FactSource::kLens, {}};
}

// A run on one GPU with all that the lens says; percent.
void well_set(Facts& facts, double utilization, double input_wait) {
  GpuFacts gpu;
  gpu.name = "NVIDIA A100-SXM4-80GB";
  gpu.used_by_run = true;
  gpu.compute_capability = ComputeCapability{8, 0};
  gpu.utilization = gpu.utilization_max = Percent{utilization};
  gpu.memory_total = 80_GiB;
  gpu.memory_used = gpu.memory_peak = 52_GiB;
  gpu.temperature = 66_celsius;
  gpu.clock_share = 0.98;
  gpu.thermal_share = 0;
  gpu.power_cap_share = 0.1;
  gpu.pcie = {.generation = 4, .width = 16, .max_generation = 4, .max_width = 16};
  facts.gpus = {gpu};
  facts.settings.batch_size = lens<std::uint64_t>(32);
  facts.settings.accumulation = lens<std::uint64_t>(1);
  facts.settings.workers = lens(4U);
  facts.settings.precision = lens(Precision::kAmpBf16);
  facts.settings.tf32 = lens(true);
  facts.settings.optimizer = lens(OptimizerKind::kAdamW);
  facts.step.input_wait_share = lens(input_wait / 100);
  facts.step.samples_per_second = lens(800.0);
  facts.step.early_samples_per_second = lens(805.0);
  facts.step.steps_per_second = lens(25.0);
  facts.tree.main_cpu = 1.0;
  facts.tree.worker_idle_share = 0.5;
  facts.host.usable_cores = 32;
  facts.host.cpu = 25_percent;
  facts.host.memory_total = 256_GiB;
  facts.host.memory_used = 60_GiB;
  facts.silent_for = std::chrono::seconds{1};
}

class Table {
 public:
  explicit Table(std::uint64_t seed) : seed_(seed), dice_(seed) {}

  // Figures within a few percent of what is asked for; so a seed makes its own variant.
  void add(std::string kind,
           std::set<std::string> truth,
           double utilization,
           double input_wait,
           Edit edit,
           Depth depth = Depth::kLens) {
    const double used = std::min(99.5, utilization * dice_.noise(0.01));
    const double waited = input_wait * dice_.noise(0.03);
    Trace trace{.name = kind + " #" + std::to_string(seed_),
                .kind = std::move(kind),
                .truth = std::move(truth),
                .depth = depth,
                .seed = seed_++};
    trace.edit = [=](Facts& facts) {
      well_set(facts, used, waited);
      edit(facts);
      if (depth != Depth::kLens) {
        facts.settings = {};
        facts.step.input_wait_share.reset();
      }
    };
    traces_.push_back(std::move(trace));
  }
  std::vector<Trace> take() { return std::move(traces_); }
  Dice& dice() { return dice_; }

 private:
  std::uint64_t seed_;
  Dice dice_;
  std::vector<Trace> traces_;
};

void add_failures(Table& table) {
  const auto oom = [](GpuOom::Kind kind) {
    return [kind](Facts& facts) {
      facts.end.kind = EndKind::kGpuOom;
      facts.end.detail = "CUDA out of memory";
      facts.end.oom = GpuOom{.kind = kind, .requested = 2_GiB, .total = 80_GiB, .free = 1_GiB};
    };
  };
  table.add("OOM", {"gpu_oom"}, 95, 1, oom(GpuOom::Kind::kTooBig));
  table.add("OOM, fragmented", {"gpu_fragmentation"}, 95, 1, oom(GpuOom::Kind::kFragmentation));
  table.add("OOM, neighbour", {"gpu_neighbour"}, 95, 1, oom(GpuOom::Kind::kNeighbour));
  table.add("OOM survived", {"gpu_oom"}, 95, 1, [](Facts& facts) { facts.end.survived_ooms = 1; });
  table.add("host OOM", {"host_oom"}, 90, 2, [](Facts& facts) { facts.end.kind = EndKind::kHostOom; });
  table.add("host memory full", {"host_oom"}, 95, 1, [](Facts& facts) { facts.host.memory_used = 252_GiB; });
  table.add("shm", {"shm_exhausted"}, 90, 2, [](Facts& facts) { facts.end.kind = EndKind::kShmExhausted; });
  table.add("shm full", {"shm_exhausted"}, 95, 1, [](Facts& facts) {
    facts.host.shm_total = 64_MiB;
    facts.host.shm_used = 62_MiB;
  });
  table.add("Xid", {"gpu_fault"}, 95, 1, [](Facts& facts) {
    facts.gpus[0].xid_count = 1;
    facts.gpus[0].last_xid = 48;
  });
  table.add("ECC", {"gpu_fault"}, 95, 1, [](Facts& facts) { facts.gpus[0].ecc_uncorrected = 3; });
  table.add("lost GPU", {"gpu_fault"}, 95, 1, [](Facts& facts) {
    facts.gpus[0].state = GpuState::kLost;
    facts.gpus[0].utilization.reset();
  });
  table.add("stalled", {"stalled"}, 0, 0, [](Facts& facts) {
    facts.silent_for = std::chrono::minutes{12};
    facts.tree.main_cpu = 0.01;
  });
  table.add("GPU idle", {"gpu_idle"}, 0, 0, [](Facts& facts) {
    facts.gpus[0].used_by_run = false;
    facts.tree.main_cpu = 6.0;
  });
  table.add("host leak", {"host_memory_leak"}, 95, 1, [](Facts& facts) { facts.host.memory_slope = 12e6; });
  table.add("slow-down", {"slowdown"}, 90, 2, [](Facts& facts) { facts.step.early_samples_per_second = lens(1200.0); });
  table.add("low clocks", {"clock_drop"}, 97, 1, [](Facts& facts) {
    facts.gpus[0].clock_share = 0.55;
    facts.gpus[0].power_cap_share = 0;
  });
  table.add("narrow link", {"pcie_degraded"}, 97, 1, [](Facts& facts) { facts.gpus[0].pcie.width = 4; });
  table.add("straggler", {"rank_straggler"}, 96, 1, [](Facts& facts) {
    for (unsigned i = 0; i < 8; ++i) facts.ranks.push_back({.rank = i, .input_wait_share = i == 5 ? 0.35 : 0.02});
  });
}

// Just below and just above a limit: the one is silent or healthy, the other speaks.
void add_pairs(Table& table) {
  const auto fetch = [](Facts& facts) { facts.step.fetch_cpu_share = lens(0.9); };
  table.add("pair: wait 7 %", {"healthy"}, 91, 7, fetch);
  table.add("pair: wait 13 %", {"input_cpu_bound"}, 85, 13, fetch);
  table.add("pair: host gap 8 %", {"healthy"}, 91, 1, [](Facts&) {});
  table.add("pair: host gap 15 %", {"small_batch"}, 83, 1, [](Facts&) {});
  table.add("pair: 80 °C", {"healthy"}, 97, 1, [](Facts& facts) {
    facts.gpus[0].temperature = 80_celsius;
    facts.gpus[0].thermal_share = 0.1;
  });
  table.add("pair: 90 °C", {"thermal_throttle"}, 97, 1, [](Facts& facts) {
    facts.gpus[0].temperature = 90_celsius;
    facts.gpus[0].thermal_share = 0.4;
  });
  table.add("pair: 15 % slower", {"healthy"}, 95, 1,
            [](Facts& facts) { facts.step.early_samples_per_second = lens(941.0); });
  table.add("pair: 25 % slower", {"slowdown"}, 95, 1,
            [](Facts& facts) { facts.step.early_samples_per_second = lens(1067.0); });
  table.add("pair: neighbour 5 %", {"healthy"}, 97, 1,
            [](Facts& facts) { facts.gpus[0].neighbour_utilization = 5_percent; });
  table.add("pair: neighbour 15 %", {"gpu_neighbour"}, 97, 1,
            [](Facts& facts) { facts.gpus[0].neighbour_utilization = 15_percent; });
  table.add(
      "pair: NVML 76 %", {}, 76, 0, [](Facts& facts) { facts.tree = {}; }, Depth::kGpuOnly);
  table.add(
      "pair: NVML 64 %", {"low_utilization"}, 64, 0, [](Facts& facts) { facts.tree = {}; }, Depth::kGpuOnly);
  table.add("pair: host memory 85 %", {"healthy"}, 96, 1, [](Facts& facts) { facts.host.memory_used = 218_GiB; });
  table.add("pair: leak of crumbs", {"healthy"}, 96, 1, [](Facts& facts) { facts.gpus[0].memory_slope = 2e5; });
  table.add("pair: leak", {"gpu_memory_leak"}, 96, 1, [](Facts& facts) { facts.gpus[0].memory_slope = 3e6; });
}

void add_two_at_once(Table& table) {
  table.add("two: input and heat", {"input_cpu_bound"}, 40, 55, [](Facts& facts) {
    facts.step.fetch_cpu_share = lens(0.95);
    facts.gpus[0].thermal_share = 0.5;
  });
  table.add("two: disk and leak", {"input_disk_bound"}, 40, 55, [](Facts& facts) {
    facts.step.fetch_cpu_share = lens(0.1);
    facts.host.disk_busy = 99_percent;
    facts.gpus[0].memory_slope = 3e6;
  });
  table.add("two: launches and narrow link", {"small_batch"}, 40, 1, [](Facts& facts) {
    facts.gpus[0].pcie.width = 8;
    facts.gpus[0].memory_peak = 5_GiB;
    facts.gpus[0].memory_used = 5_GiB;
  });
  table.add("two: OOM after starving", {"gpu_oom"}, 40, 50, [](Facts& facts) { facts.end.kind = EndKind::kGpuOom; });
  table.add("two: cap and precision", {"power_cap", "precision_amp"}, 97, 1, [](Facts& facts) {
    facts.settings.precision = lens(Precision::kFp32);
    facts.gpus[0].power_cap_share = 0.95;
    facts.gpus[0].clock_share = 0.7;
    facts.gpus[0].power_limit = 250_W;
    facts.gpus[0].max_power_limit = 400_W;
  });
  table.add("two: Xid and starving", {"gpu_fault"}, 40, 50, [](Facts& facts) {
    facts.gpus[0].xid_count = 1;
    facts.gpus[0].last_xid = 79;
  });
}

void add_quiet(Table& table) {
  table.add("healthy", {"healthy"}, 97, 1, [](Facts&) {});
  table.add("healthy, wait hidden", {"healthy"}, 97, 35, [](Facts&) {});
  table.add("healthy, at the power limit", {"healthy"}, 98, 1, [](Facts& facts) {
    facts.gpus[0].power_cap_share = 0.99;
    facts.gpus[0].clock_share = 0.93;
  });
  table.add("healthy, idle workers", {"healthy"}, 97, 0, [](Facts& facts) {
    facts.tree.worker_idle_share = 0.9;
    facts.settings.workers = lens(12U);
  });
  table.add("healthy, much memory free", {"healthy"}, 97, 1,
            [](Facts& facts) { facts.gpus[0].memory_peak = facts.gpus[0].memory_used = 3_GiB; });
  table.add("healthy, link rests", {"healthy"}, 96, 1, [](Facts& facts) {
    facts.gpus[0].pcie.max_generation.reset();
    facts.gpus[0].pcie.generation = 1;
  });
  table.add(
      "healthy, no lens", {"healthy"}, 95, 0, [](Facts&) {}, Depth::kOutput);
  table.add("healthy, second GPU idle", {"healthy"}, 96, 1, [](Facts& facts) {
    facts.gpus.push_back(facts.gpus[0]);
    facts.gpus[1].used_by_run = false;
    facts.gpus[1].index = 1;
    facts.gpus[1].utilization = facts.gpus[1].utilization_max = 0_percent;
  });
  table.add("nothing known", {}, 0, 0, [](Facts& facts) {
    const auto now = facts.now;
    const auto age = facts.age;
    facts = Facts{};
    facts.now = now;
    facts.age = age;
    facts.steady = true;
    facts.gpus.emplace_back();
  });
}

}  // namespace

std::vector<Trace> handmade(std::uint64_t first_seed) {
  Table table{first_seed};
  add_failures(table);
  add_pairs(table);
  add_two_at_once(table);
  add_quiet(table);
  return table.take();
}

}  // namespace gputop::traces
