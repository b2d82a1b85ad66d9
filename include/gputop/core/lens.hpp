// What the lens (a small Python package inside the run, src/lens/) reports. Plain values; nullopt if not reported.
// Counts and seconds of a tick only grow within one process, so a lost report loses no information.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "gputop/core/reading.hpp"
#include "gputop/core/units.hpp"

namespace gputop {

struct LensHello {
  unsigned protocol = 0;
  std::int64_t own_pid = 0;  // as the process sees it: a different number inside its own PID namespace
  std::int64_t parent = 0;
  std::string python;
  std::string torch;
  std::string cuda;  // the version torch was built for; "" for none
  std::string start_method;
  Reading<unsigned> rank;
  Reading<unsigned> local_rank;
  Reading<unsigned> world;
  Reading<unsigned> threads;
  bool operator==(const LensHello&) const = default;
};

// A setting the lens was asked to change, with JSON values, or the reason why it did not.
struct LensChange {
  std::string name;
  std::string before;
  std::string after;
  bool operator==(const LensChange&) const = default;
};
struct LensRefusal {
  std::string name;
  std::string reason;
  bool operator==(const LensRefusal&) const = default;
};

struct LensLoader {
  unsigned id = 0;
  std::string site;  // file:line in the user's code
  std::string dataset;
  Reading<std::uint64_t> length;   // samples
  Reading<std::uint64_t> batches;  // per epoch
  Reading<std::uint64_t> batch_size;
  unsigned workers = 0;
  bool pin_memory = false;
  Reading<unsigned> prefetch;
  bool persistent = false;
  bool drop_last = false;
  std::string sampler;
  std::string context;  // start method of the workers: fork, spawn, forkserver
  bool iterable = false;
  std::vector<LensChange> applied;
  std::vector<LensRefusal> refused;
  bool operator==(const LensLoader&) const = default;
};

struct LensOptimizer {
  unsigned id = 0;
  std::string type;  // "torch.optim.adamw.AdamW"
  std::uint64_t parameters = 0;
  Bytes bytes;
  unsigned groups = 0;
  std::vector<Reading<double>> learning_rates;
  Reading<double> momentum;
  Reading<std::uint64_t> tensors;
  Reading<bool> fused;  // nullopt: torch decides
  Reading<bool> foreach;
  bool operator==(const LensOptimizer&) const = default;
};

struct LensCount {
  std::string name;
  std::uint64_t count = 0;
  bool operator==(const LensCount&) const = default;
};

struct LensModule {
  std::string type;                   // of the user's own model
  std::vector<std::string> wrappers;  // around it, outermost first
  std::uint64_t parameters = 0;
  Bytes bytes;
  std::uint64_t trainable = 0;
  Bytes buffers;
  std::vector<LensCount> kinds;
  bool checkpointing = false;
  bool compiled = false;
  Reading<bool> channels_last;
  bool operator==(const LensModule&) const = default;
};

struct LensModel {
  std::vector<LensModule> roots;  // largest first
  Bytes optimizer_bytes;          // state, after the first step
  double cost_ms = 0;             // of collecting this
  bool operator==(const LensModel&) const = default;
};

struct LensAutocast {
  std::string device;
  std::string type;
  bool enabled = false;
  bool operator==(const LensAutocast&) const = default;
};

struct LensEnvironment {
  Reading<bool> tf32_matmul;
  Reading<bool> tf32_conv;
  Reading<bool> cudnn_benchmark;
  Reading<unsigned> threads;
  std::vector<LensAutocast> autocast;  // seen so far
  bool scaler = false;
  bool checkpointing = false;
  Reading<unsigned> rank;
  Reading<unsigned> world;
  Reading<unsigned> device;  // CUDA's device number
  std::string device_name;
  std::string device_uuid;
  bool operator==(const LensEnvironment&) const = default;
};

struct LensShape {
  std::vector<std::uint64_t> size;
  std::string type;
  bool operator==(const LensShape&) const = default;
};

// The bytes of one step, counted before its backward pass.
struct LensMemory {
  std::uint64_t step = 0;
  Bytes activations;
  Reading<std::uint64_t> batch;
  Bytes parameters;
  Bytes gradients;
  Bytes optimizer;
  std::uint64_t skipped = 0;   // saved tensors that hooks had packed
  std::vector<LensCount> top;  // bytes, by node of the graph
  double cost_ms = 0;
  bool operator==(const LensMemory&) const = default;
};

// Floating-point operations of one optimizer step, and the cost of counting them.
struct LensFlops {
  std::uint64_t step = 0;
  std::string how;  // "counted", "6*N*tokens", "unknown"
  std::string why;  // it was not counted
  Reading<double> flops;
  Reading<double> recomputed;         // by checkpointing, in addition
  Reading<std::uint64_t> operations;  // in PyTorch, in both passes
  Reading<std::uint64_t> passes;      // backward
  Reading<std::uint64_t> batch;
  Reading<double> seconds;    // of the counted step
  Reading<double> before;     // of the step before it
  Reading<double> optimizer;  // seconds Python spent in the optimizer's step
  Reading<double> cost_ms;
  Reading<std::uint64_t> copied;    // bytes from the host to the GPU,
  Reading<std::uint64_t> pageable;  // of them from memory that is not pinned,
  Reading<std::uint64_t> waited;    // and those whose end Python waits for
  bool operator==(const LensFlops&) const = default;
};

struct LensLoaderTick {
  unsigned id = 0;
  std::uint64_t batches = 0;  // batches after the first of each epoch, which is counted separately
  double wait = 0;            // seconds spent waiting for them
  double user = 0;            // seconds between them
  double pause = 0;           // part of that time spent in validation (other loaders were used) and checkpoints
  double turn = 0;            // seconds between an epoch's last step and the next epoch, without pauses
  double longest = 0;         // longest wait since the last tick
  std::uint64_t first = 0;
  double first_wait = 0;  // for the first batches, counted from the request for the epoch
  std::uint64_t epoch = 0;
  std::uint64_t steps = 0;  // optimizer steps on its batches
  Reading<std::uint64_t> batch;
  std::vector<LensShape> shapes;
  Reading<double> fetch_cpu;  // 0…1 of the time for a batch, without workers
  Reading<double> median;     // recent seconds from batch to batch
  Reading<double> slowest;    // the same, 99th percentile
  bool operator==(const LensLoaderTick&) const = default;

  // All batches, and the seconds spent waiting for them and training on them: the run's time without pauses.
  [[nodiscard]] std::uint64_t drawn() const { return batches + first; }
  [[nodiscard]] double seconds() const { return wait + first_wait + user + turn; }
};

struct LensCuda {
  unsigned device = 0;
  Reading<Bytes> allocated;
  Reading<Bytes> allocated_peak;
  Reading<Bytes> reserved;
  Reading<Bytes> reserved_peak;
  Reading<std::uint64_t> ooms;
  Reading<std::uint64_t> retries;
  bool operator==(const LensCuda&) const = default;
};

// Steps of a rank that trains with others. Each list has one entry per step, from the end of one exchange to the end of
// the next. All ranks leave an exchange together, so `exchange` says how much earlier than the last rank each one
// arrived.
struct LensSync {
  std::uint64_t steps = 0;       // exchanges so far
  double waited = 0;             // seconds in them so far: waiting for the others plus the transfer itself
  double collecting = 0;         // seconds in Python's garbage collector so far
  Reading<double> starved;       // seconds the main thread was runnable without a core so far
  std::uint64_t first = 0;       // number of the first step below, from 1
  std::vector<double> own;       // milliseconds neither waiting for a batch nor in the exchange
  std::vector<double> input;     // milliseconds waiting for its batch
  std::vector<double> exchange;  // milliseconds from being ready to the end of the exchange
  std::vector<double> cpu;       // milliseconds of CPU time of all its threads
  std::vector<double> items;     // elements of the batch's largest tensor; 0 is unknown
  bool operator==(const LensSync&) const = default;
};

// A process has been in one phase for seconds. This is read from shared memory, so a blocked process reports it too.
struct LensPhase {
  std::string phase;  // "input", "compute", "exchange"
  std::uint64_t step = 0;
  double seconds = 0;  // so far; 0: the process continues
  std::string site;    // file:line, if known
  bool operator==(const LensPhase&) const = default;
};

struct LensTick {
  std::uint64_t steps = 0;
  Reading<double> backwards_per_step;
  std::vector<Reading<double>> learning_rates;
  std::vector<LensLoaderTick> loaders;
  std::vector<LensCuda> cuda;
  std::uint64_t dropped = 0;  // reports dropped because gputop was too slow
  std::uint64_t saves = 0;    // checkpoints written since the first batch
  double saving = 0;          // seconds spent writing them
  double compiling = 0;       // seconds torch.compile delayed batches; not part of any step
  std::vector<LensSync> sync;  // one entry if it trains with other ranks
  bool operator==(const LensTick&) const = default;
};

// A training framework's own arguments, with JSON values.
struct LensFramework {
  struct Setting {
    std::string name;
    std::string value;
    bool operator==(const Setting&) const = default;
  };
  std::string name;  // "transformers.Trainer"
  std::vector<Setting> settings;
  std::vector<LensChange> applied;
  std::vector<LensRefusal> refused;
  bool operator==(const LensFramework&) const = default;
};

// The outcome of something gputop asked for at launch or for the next epoch.
struct LensApplied {
  std::string what;
  std::string site;
  std::string text;
  std::vector<LensChange> applied;
  std::vector<LensRefusal> refused;
  bool operator==(const LensApplied&) const = default;
};

// The answer to a command.
struct LensAck {
  std::uint64_t id = 0;
  std::string op;
  bool ok = false;
  std::uint64_t step = 0;
  std::string text;
  bool operator==(const LensAck&) const = default;
};

struct LensOom {
  std::uint64_t step = 0;
  std::string phase;  // forward, backward, optimizer, data, other
  std::vector<LensShape> shapes;
  std::string text;
  bool operator==(const LensOom&) const = default;
};

// An error inside the lens; it disables itself after the third.
struct LensFault {
  unsigned count = 0;
  std::string text;
  bool operator==(const LensFault&) const = default;
};

struct LensBye {
  std::uint64_t steps = 0;
  std::string exception;
  bool operator==(const LensBye&) const = default;
};

using LensMessage = std::variant<LensHello,
                                 LensLoader,
                                 LensOptimizer,
                                 LensModel,
                                 LensEnvironment,
                                 LensMemory,
                                 LensTick,
                                 LensFramework,
                                 LensApplied,
                                 LensAck,
                                 LensOom,
                                 LensFault,
                                 LensBye,
                                 LensFlops,
                                 LensPhase>;

}  // namespace gputop
