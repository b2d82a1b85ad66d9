// Everything the advisor may know, as one value: the run's settings, its speed, the GPUs, the host, the processes, how
// it ended. Filled by app (from events); read by the rules. Windowed figures cover `window` unless a comment says
// otherwise.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gputop/advisor/fact.hpp"
#include "gputop/core/calibration.hpp"
#include "gputop/core/gpu.hpp"
#include "gputop/core/metric.hpp"
#include "gputop/core/reading.hpp"
#include "gputop/core/run_end.hpp"
#include "gputop/core/run_point.hpp"
#include "gputop/core/time.hpp"
#include "gputop/core/training.hpp"
#include "gputop/core/units.hpp"
#include "gputop/job/explain.hpp"

namespace gputop {

// The run's current settings.
struct SettingFacts {
  Known<std::uint64_t> batch_size;  // of one rank, one micro-step
  Known<std::uint64_t> accumulation;
  Known<double> learning_rate;
  Known<unsigned> workers;
  Known<unsigned> prefetch;
  Known<bool> pin_memory;
  Known<bool> persistent_workers;
  Known<Precision> precision;
  Known<bool> tf32;  // matmul
  Known<bool> cudnn_benchmark;
  Known<bool> checkpointing;
  Known<bool> compiled;
  Known<bool> channels_last;
  Known<bool> convolutions;  // the model has some
  Known<unsigned> torch_major;
  Known<unsigned> threads;  // the effective OMP_NUM_THREADS
  Known<OptimizerKind> optimizer;
  Known<std::string> optimizer_name;  // its class name in lower case
  Known<std::uint64_t> parameters;
  Known<std::uint64_t> trainable_parameters;
  Known<unsigned> world_size;
  Known<unsigned> local_ranks;
  Known<std::string> model_class;
  Known<std::uint64_t> dataset_size;     // samples of an epoch, all ranks
  Known<std::uint64_t> eval_batch_size;  // of validation
};

// The run's speed, and where a step's time goes. Shares are 0…1 of the step.
struct StepFacts {
  Known<double> steps_per_second;
  Known<double> samples_per_second;
  Known<double> tokens_per_second;
  Known<Duration> step_time;
  Known<double> input_wait_share;
  Known<double>
      fetch_cpu_share;  // share of a batch's fetch spent computing: near 1 CPU-bound, near 0 waiting for a disk
  Known<Duration> fetch_time;       // one worker's time for one batch
  Known<double> epoch_start_share;  // of wall time: waiting for the first batch of every epoch but the first
  Known<double> transfer_share;
  Known<double> communication_share;
  Known<double> pause_share;               // validation and checkpoints, of wall time
  Known<double> checkpoint_share;          // the part spent on checkpoints
  Known<double> variation;                 // p99 ÷ p50 of step time
  Known<double> rate_spread;               // of the speed in the window: (90th − 10th percentile) ÷ median
  Known<double> early_steps_per_second;    // the same, if samples are unknown
  Known<double> early_samples_per_second;  // the steady rate early on, to detect a slowdown
  Known<std::uint64_t> step;
  Known<std::uint64_t> total_steps;
  Known<double> epoch;
  Known<double> epochs;
  Known<double> loss;
  Known<Duration> run_time;     // of the whole run: elapsed plus remaining; of a finished run, its duration
  Known<Duration> data_time;    // how long a step waits for its batch, as printed
  Known<Duration> eta;          // of the whole run
  Known<Bytes> printed_memory;  // of the GPU
};

// What one step copies from the host to one rank's GPU.
struct TransferFacts {
  Reading<Bytes> copied;            // counted by the lens in one step
  Reading<double> pageable_share;   // of it, from memory that is not pinned
  Reading<double> waited_share;     // of it, whose end Python waits for
  Reading<double> rate;             // of these copies while they are made, B/s
  Reading<double> pinned_rate;      // from pinned memory
  bool calibrated = false;          // the rates; otherwise they are what the link can do at most
  bool operator==(const TransferFacts&) const = default;
};

// How well the run uses its GPUs, and what that costs.
struct EfficiencyFacts {
  Known<double> step_flops;             // floating-point operations of one optimizer step, of one rank
  Known<std::string> flops_by;          // "counted", "6*N*tokens"
  Known<double> flops_per_second;       // of one rank
  Known<double> peak;                   // of its GPU, in the precision in use, FLOP/s
  Known<std::string> peak_by;           // "A100 80GB, bf16", "given", "calibrated"
  Known<double> mfu;                    // 0…1: model FLOPs utilization
  Known<double> calibrated_share;       // of the calibrated speed in this precision
  Known<double> operations_per_second;  // of PyTorch, of one rank
  Known<double> optimizer_share;        // of a step, spent by Python in the optimizer
  Known<bool> optimizer_slow_path;      // neither fused nor foreach, by its own settings
  Known<double> energy;                 // Wh of its GPUs, since it began
  Known<double> energy_per_1000;        // Wh for 1000 samples
  Known<double> cost;                   // so far, in the currency of --price
};

struct GpuFacts {
  unsigned index = 0;
  std::string name;
  bool used_by_run = false;
  Reading<bool> at_work;  // for a log: it has enough work to judge; unknown: decide by its utilization
  GpuState state = GpuState::kOk;
  Reading<ComputeCapability> compute_capability;
  Reading<Percent> utilization;  // mean
  Reading<Percent> utilization_p95;
  Reading<double> idle_share;       // of samples at 0 %
  Reading<Duration> idle_for;       // at 0 % all the time
  Reading<double> power_share;      // mean power ÷ limit
  Reading<Celsius> temperature;     // max
  Reading<double> clock_share;      // mean SM clock ÷ max, while busy
  Reading<double> thermal_share;    // of samples with a thermal throttle reason
  Reading<double> power_cap_share;  // of samples with a power-cap reason
  Reading<Bytes> memory_total;
  Reading<Bytes> memory_used;       // now, by everyone
  Reading<Bytes> memory_peak;       // of the run so far
  Reading<Bytes> run_memory;        // the run's own processes
  Reading<Bytes> neighbour_memory;  // other processes
  Reading<Percent> neighbour_utilization;
  Reading<double> memory_slope;  // bytes per second over the long window
  Reading<Duration> full_in;     // from its growth in the last seconds; unknown if it does not grow steadily
  Reading<BytesPerSecond> pcie_rx;
  PcieLink pcie;
  std::uint64_t xid_count = 0;
  std::uint64_t last_xid = 0;
  std::uint64_t ecc_uncorrected = 0;
  std::uint64_t sensor_errors = 0;
  std::string sensor_error;  // the last one, for the user
  Reading<Percent> utilization_min;
  Reading<Percent> utilization_max;
  Reading<Percent> memory_busy;  // mean share of time that device memory was read or written
  Reading<Watts> power;          // mean
  Reading<Watts> power_limit;
  Reading<Watts> max_power_limit;  // the highest the board can be set to
  GpuActivity activity;            // means
  Calibration nominal;             // what this kind of card can do
  Calibration measured;            // what this card reached in gputop calibrate
  std::string kind;                // the name in the table of cards; "" if it is not there
};

struct HostFacts {
  Reading<double> usable_cores;
  Reading<Percent> cpu;  // of all cores
  Reading<Percent> io_wait;
  Reading<Percent> cpu_pressure;  // PSI some
  Reading<Percent> io_pressure;
  Reading<Percent> memory_pressure;
  Reading<Percent> quota_throttled;  // share of cgroup periods
  Reading<Bytes> memory_total;       // the smaller of the machine's and the cgroup's
  Reading<Bytes> memory_used;
  Reading<Bytes> swap_used;
  Reading<double> memory_slope;  // bytes per second of the run's tree, long window
  Reading<Bytes> shm_total;
  Reading<Bytes> shm_used;
  Reading<BytesPerSecond> disk_read;
  Reading<Percent> disk_busy;
  std::uint64_t oom_kills = 0;  // since the run began
};

// The run's process tree by role.
struct TreeFacts {
  Reading<unsigned> ranks;
  Reading<unsigned> workers;             // loader workers alive, all ranks
  Reading<double> worker_cpu;            // mean cores per worker
  Reading<double> worker_idle_share;     // asleep, not in D
  Reading<double> worker_disk_share;     // in D
  Reading<double> worker_starved_share;  // runnable without a core
  Reading<double> main_cpu;              // cores of the busiest rank process
  Reading<double> involuntary_switches;  // per second, whole tree
  Reading<BytesPerSecond> read;          // from disk, whole tree
  Reading<double> page_cache_share;      // of the bytes read, the share that came from memory
};

struct RankFacts {
  unsigned rank = 0;
  Reading<double> steps_per_second;
  Reading<double> input_wait_share;
  Reading<Percent> utilization;
};

// Memory as a function of the batch, from observations of this run.
struct MemoryFacts {
  struct Point {
    std::uint64_t batch = 0;
    Bytes peak;
  };
  std::vector<Point> points;  // measured, one per batch size seen
  Known<Bytes> parameters;
  Known<Bytes> gradients;
  Known<Bytes> optimizer;
  Known<Bytes> activations_per_sample;
  Known<Bytes> allocated_peak;  // torch's own figures
  Known<Bytes> reserved_peak;
};

// Two sources that disagree about one fact.
struct Disagreement {
  std::string fact;   // "batch_size"
  std::string taken;  // "32 (lens)"
  std::string other;  // "64 (printed)"
};

enum class Depth : std::uint8_t { kGpuOnly, kOutput, kLens };

// A run without any sign of life: no output, no batch, no step.
struct StillFacts {
  Duration time{};               // since the last one
  Reading<double> main_cpu;      // cores, since then
  Reading<double> worker_cpu;    // of each
  Reading<Percent> utilization;  // of the busiest GPU it holds
  bool had_steps = false;        // some were seen before
  bool operator==(const StillFacts&) const = default;
};

struct Facts {
  Instant now;
  Duration age{};     // of the run (or of the recording)
  Duration window{};  // covered by the windowed figures
  bool has_run = false;
  bool simulated = false;
  bool steady = false;  // past warm-up: the windowed figures are meaningful
  bool in_validation = false;
  std::string unjudged;  // why a run cannot be judged by this, for the user; "" if it can
  Depth depth = Depth::kGpuOnly;
  Reading<Duration> silent_for;  // since the job's last output
  Reading<StillFacts> still;     // unknown while it is only seconds
  SettingFacts settings;
  StepFacts step;
  EfficiencyFacts efficiency;
  TransferFacts transfer;
  std::vector<GpuFacts> gpus;
  HostFacts host;
  TreeFacts tree;
  std::vector<RankFacts> ranks;
  Reading<job::Explained> together;  // what the ranks that train together report about each other
  MemoryFacts memory;
  std::vector<MetricTrack> metrics;  // accuracy, F1, …, as printed by the run
  std::vector<RunPoint> earlier;     // runs of the same job on this machine, oldest first
  EndFacts end;
  std::vector<Disagreement> disagreements;
};

}  // namespace gputop
