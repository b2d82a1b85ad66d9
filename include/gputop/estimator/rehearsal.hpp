// A rehearsed run: what the lens recorded (src/lens/_gputop_lens/rehearsal/ledger.py), and what it would take on a GPU.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/core/units.hpp"
#include "gputop/estimator/allocator.hpp"

namespace gputop {

enum class RehearsalPhase : std::uint8_t { kModel, kForward, kBackward, kOptimizer, kValidation };
constexpr std::size_t kRehearsalPhases = 5;
std::string_view to_string(RehearsalPhase phase);

// What a storage contains. Temporary: created in the backward pass or the optimizer step, and none of the others.
enum class StorageKind : std::uint8_t { kParameters, kGradients, kOptimizer, kActivations, kBatch, kTemporary, kWorkspace };
constexpr std::size_t kStorageKinds = 7;
std::string_view to_string(StorageKind kind);

struct RehearsalEvent {
  enum class Kind : std::uint8_t { kAllocate, kFree, kScratch, kStep };
  Kind kind = Kind::kAllocate;
  RehearsalPhase phase = RehearsalPhase::kModel;
  std::uint32_t site = 0;     // of an allocation
  std::uint64_t number = 0;   // of the storage, of the step
  std::uint64_t bytes = 0;
};

// Identical operations of one step.
struct RehearsedOperation {
  std::uint64_t count = 0;
  double flops = 0;  // of one
  double bytes = 0;  // read and written by one
  std::string kind;  // "matmul", "conv", "attention", "other"
  std::string dtype;
  std::string name;
};

struct RehearsalTrace {
  std::vector<RehearsalEvent> events;
  std::vector<StorageKind> kinds;  // by the number of the storage
  std::vector<std::string> sites;  // "train.py:12"
  std::vector<RehearsedOperation> operations;
  std::map<std::string, std::string, std::less<>> facts;
  std::vector<std::string> assumptions;

  [[nodiscard]] std::string fact(std::string_view name) const;  // "" where there is none
};

// Torn or invalid lines are an error: half a rehearsal would give a wrong number.
Result<RehearsalTrace> read_rehearsal(std::string_view text);

struct MemoryMoment {
  Bytes allocated;
  Bytes reserved;
  RehearsalPhase phase = RehearsalPhase::kModel;
  unsigned step = 0;
};

struct SiteBytes {
  std::string site;
  Bytes bytes;
};

struct RehearsedMemory {
  Bytes peak_allocated;
  Bytes peak_reserved;
  bool fits = true;      // false: an allocation failed, and the peaks are those up to then
  unsigned retries = 0;  // how often the cache had to be returned
  unsigned steps = 0;
  MemoryMoment peak;  // the time of the highest allocation
  std::array<Bytes, kStorageKinds> at_peak{};
  std::array<Bytes, kRehearsalPhases> phase_peaks{};  // the highest allocation in each phase
  std::vector<SiteBytes> sites;        // that hold most at the peak, the largest first
  std::vector<MemoryMoment> timeline;  // the highest point of each of at most 240 equal parts of the run
};
RehearsedMemory replay(const RehearsalTrace& trace, const AllocatorOptions& options);

// The same run with one change: "checkpointing", "bf16", …
struct WhatIf {
  std::string name;
  Bytes total;
  bool fits = true;
};

enum class FitVerdict : std::uint8_t { kUnknown, kFits, kDoesNotFit, kNotSure };
std::string_view to_string(FitVerdict verdict);  // "fits", "does not fit", "not sure"

// What is reported about a rehearsed run besides the estimate itself.
struct RehearsalAnswer {
  RehearsedMemory memory;
  Bytes context;                       // CUDA context and libraries, which the allocator does not see
  std::optional<std::uint64_t> batch;  // of the loader that feeds the steps
  // The batch, and the highest use of the forward and backward pass as rehearsed: the part that grows with the batch.
  std::vector<std::pair<std::uint64_t, Bytes>> points;
  Bytes needed;  // the least it can run in, including the context: the allocator returns unused blocks before it fails
  FitVerdict verdict = FitVerdict::kUnknown;
  std::optional<double> oom_chance;
  bool cache_given_back = false;  // it fits only because the allocator returns unused blocks, which costs time
  std::vector<WhatIf> what_if;
  std::vector<std::string> assumptions;
  std::string torch;
  unsigned world = 1;
  bool measured = false;  // on a real GPU
};

struct RehearsalInput {
  RehearsalTrace first;
  std::optional<RehearsalTrace> other_batch;
  std::vector<std::pair<std::string, RehearsalTrace>> changed;  // the change, and its result
  AllocatorOptions options;
};

// Bytes of a CUDA context with the libraries that a training process with this version of torch loads.
Bytes cuda_context(std::string_view torch_version);

}  // namespace gputop
