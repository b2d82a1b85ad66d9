// How a training run loads a card: pure functions from (card, run configuration) to step time, utilization, memory and
// power.
//
// One iteration is one batch through forward and backward; with accumulation A the optimizer steps every A iterations.
// b batch, w workers, C cores, P peak rate at the run's precision, e its achievable share, k the half-full batch.
//
//   compute   max(flops/(P·e), traffic/(bandwidth·0.8)) · (b + k) · 1.28 if checkpointing  +  optimizer traffic/A
//             so samples per GPU second rise as b/(b + k) towards the roofline: the knee of a compute-bound run.
//             tf32 and bf16 need compute capability 8.0, fp16 7.0; below that they run at the fp32 rate.
//             AMP moves 0.7 of the fp32 traffic, pure bf16 half of it.
//   host      launching kernels runs ahead of the card: step = max(host, compute) + sync. Where host > compute the card
//             idles between kernels: a small batch is launch-bound and its utilisation is compute/step.
//             When 1 + busy workers exceed C the launching process gets its share only: host · (1 + busy)/C.
//   input     w = 0: b·(CPU + disk seconds), in line with the step.
//             w > 0: in parallel, at min(w, C)/CPU seconds, divided by 1 + 0.02·(w − C) beyond the cores, at most what
//             the disk gives, and by 1 + 0.15/(min(w, C)·prefetch) for uneven samples.
//             input wait = what that lasts longer than host and card.
//   transfer  pinned: hidden behind compute; pageable: at 0.35 of the link and in line with the step.
//   memory    context + workspace + parameters·bytes + b·(activations + 2·sample), each rounded up to the allocator's 2
//   MiB;
//             activations ×0.65 in AMP, ×0.5 in bf16, ×0.3 with checkpointing. More than the card has free is out of
//             memory.
//   power     idle + range·(0.15 + 0.85·utilisation·(0.55 + 0.45·b/(b + k))·clock^2.5)
//
// Several runs on one card: memory is served in order; compute is time-sliced, so each lasts Σ(demand) times as long
// once the demands exceed the card.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gputop/core/gpu.hpp"
#include "gputop/core/result.hpp"
#include "gputop/core/units.hpp"

namespace gputop {

// Data-sheet values of a real card; the views refer to static text.
struct SimCard {
  std::string_view name{};     // "RTX 3090": what people type
  std::string_view product{};  // the driver's name for it
  Bytes memory{};
  Bytes reserved{};  // by driver and firmware: never available to a run
  ComputeCapability capability{};
  double fp32_tflops = 0;
  double tf32_tflops = 0;  // 0: has none
  double half_tflops = 0;  // fp16 and bf16 tensor cores, dense
  double bandwidth = 0;    // device memory, bytes/s
  double link = 0;         // PCIe from pinned memory, bytes/s
  Watts power_limit{};
  Watts max_power_limit{};
  Watts idle_power{};
  Megahertz sm_clock{};
  Megahertz idle_sm_clock{};
  Megahertz memory_clock{};
  Megahertz idle_memory_clock{};
  Celsius slowdown{};
  unsigned pcie_generation = 4;
  unsigned pcie_width = 16;
  unsigned nvlinks = 0;
  bool datacenter = false;  // ECC, MIG, P0 under load, no fan

  // What all runs together may use.
  [[nodiscard]] Bytes usable() const { return memory - reserved; }
};

std::span<const SimCard> sim_cards();
// By short or product name, ignoring case. The error lists the known cards.
Result<SimCard> find_sim_card(std::string_view name);
// RTX 3090, the card of the bundled example.
const SimCard& default_sim_card();

enum class SimPrecision : std::uint8_t { kFp32, kTf32, kAmpFp16, kAmpBf16, kBf16 };
std::string_view to_string(SimPrecision precision);  // "amp-fp16"
// Also accepts "amp" for amp-fp16.
Result<SimPrecision> parse_sim_precision(std::string_view text);

// The model and its data, independent of any knob. The defaults are those of the bundled example: 2.7 GiB at batch 8.
struct SimWorkload {
  double parameters = 62.5e6;
  double optimizer_bytes_per_parameter = 8;  // Adam
  double flops_per_sample = 21.4e9;          // forward and backward
  double traffic_per_sample = 0.75e9;        // bytes through device memory at fp32
  double half_full_batch = 0.5;              // k
  Bytes activation_per_sample{143U << 20U};
  Bytes sample{600'000};  // as it crosses PCIe
  Bytes workspace{200U << 20U};
  Bytes context{460U << 20U};      // CUDA context, outside PyTorch's memory
  double cpu_per_sample = 2.0e-3;  // seconds of one worker
  double disk_per_sample = 150e3;  // bytes
  double host_per_step = 47e-3;    // seconds: Python and kernel launches
  double sync_per_step = 2e-3;     // seconds: loss.item(), logging

  bool operator==(const SimWorkload&) const = default;
};

struct SimMachine {
  unsigned cores = 8;
  double disk_bandwidth = 1.5e9;  // bytes/s
  double cached_share = 0;        // share of the reads that the page cache serves

  bool operator==(const SimMachine&) const = default;
};

// A run with its current settings.
struct SimRunConfig {
  unsigned batch_size = 8;
  unsigned accumulation = 1;
  unsigned workers = 2;
  unsigned prefetch = 2;
  bool pin_memory = true;
  bool persistent_workers = false;
  SimPrecision precision = SimPrecision::kFp32;
  bool checkpointing = false;
  SimWorkload workload;
  SimMachine machine;

  bool operator==(const SimRunConfig&) const = default;
};

// Limits that keep every formula finite. The error names the setting and its limits.
Status check(const SimRunConfig& config);

// Where an iteration's wall time goes, in seconds; the parts add up to the total.
struct SimStep {
  double input_wait = 0;
  double host = 0;  // the card waits for the launching process
  double compute = 0;
  double transfer = 0;
  double contention = 0;  // another run is using the card

  [[nodiscard]] double total() const { return input_wait + host + compute + transfer + contention; }
};

struct SimMemory {
  Bytes context{};
  Bytes workspace{};
  Bytes weights{};
  Bytes gradients{};
  Bytes optimizer{};
  Bytes activations{};
  Bytes batch{};

  [[nodiscard]] Bytes fixed() const { return context + workspace + weights + gradients + optimizer; }
  [[nodiscard]] Bytes total() const { return fixed() + activations + batch; }
};

// The numbers in PyTorch's message for a failed allocation.
struct SimOutOfMemory {
  Bytes requested{};
  Bytes capacity{};
  Bytes free{};
  Bytes in_use{};     // by this process, its context included
  Bytes allocated{};  // by PyTorch
  Bytes reserved{};   // by PyTorch but unallocated
};

// The rest of the card: what else runs on it.
struct SimConditions {
  Bytes neighbours{};  // memory that other processes hold
  double clock = 1;    // share of the full SM clock, 0 < clock <= 1
  double demand = 1;   // of all runs on the card; above 1 they take turns
};

struct SimOutcome {
  SimStep step;
  double epoch_start = 0;         // seconds to start the workers
  double samples_per_second = 0;  // 0 after out of memory
  double input_capacity = 0;      // samples/s the loader could deliver
  Percent utilization{0};
  Percent memory_utilization{0};
  SimMemory memory{};   // as requested; exceeds the card if `oom` is set
  Bytes memory_used{};  // actually held
  Watts power{};        // of the card with this run alone
  Megahertz sm_clock{};
  BytesPerSecond to_card{};
  double busy_workers = 0;
  std::optional<SimOutOfMemory> oom{};
};

// Requires a configuration that passes check().
SimOutcome simulate(const SimCard& card, const SimRunConfig& config, const SimConditions& conditions = {});

// The same run during validation: forward only, a third of the work, no gradients, proportionally fewer launches.
SimRunConfig validating(SimRunConfig config);

// What a run is doing.
enum class SimPhase : std::uint8_t {
  kStarting,  // only context and weights are on the card
  kWaiting,   // memory held, card idle: workers are starting or a checkpoint is being written
  kTraining,
  kValidating,
};
std::string_view to_string(SimPhase phase);  // "training"

// A run on a card at one point in time.
struct SimTask {
  SimRunConfig config;
  SimPhase phase = SimPhase::kTraining;
  Bytes leaked{};  // in addition to what the configuration explains

  bool operator==(const SimTask&) const = default;
};

// A card with its runs, oldest first, within a power budget (its limit, or less if it is hot).
struct SimLoad {
  std::vector<SimOutcome> runs{};
  Percent utilization{0};
  Percent memory_utilization{0};
  Bytes memory_used{};
  Watts power{};
  double clock = 1;      // share of the full clock that stays within the budget
  bool limited = false;  // the budget, not the load, determines the clock
};
SimLoad simulate_card(const SimCard& card, std::span<const SimTask> tasks, Watts budget);

}  // namespace gputop
