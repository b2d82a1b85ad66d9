// How a run ended, and the contents of an out-of-memory message.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gputop/core/reading.hpp"
#include "gputop/core/units.hpp"

namespace gputop {

enum class EndKind : std::uint8_t {
  kRunning,
  kFinished,
  kFailed,
  kException,
  kGpuOom,
  kHostOom,
  kShmExhausted,
  kSegfault,
  kNcclTimeout,
  kXid,
  kKilled,
  kUnknown,
};
std::string_view to_string(EndKind kind);  // stable names for JSON: "running", "finished", "gpu_oom", …

// The contents of a CUDA out-of-memory message, and which of the four kinds it is.
struct GpuOom {
  enum class Kind : std::uint8_t { kTooBig, kFragmentation, kNeighbour, kCap, kUnclear };
  Kind kind = Kind::kUnclear;
  Reading<unsigned> gpu;
  Reading<Bytes> requested;
  Reading<Bytes> total;
  Reading<Bytes> free;
  Reading<Bytes> allocated;
  Reading<Bytes> reserved_unallocated;
  Reading<Bytes> in_use;      // by this process, including memory outside PyTorch
  Reading<Bytes> neighbours;  // by other processes that the message names
  Reading<Bytes> allowed;
};
std::string_view to_string(GpuOom::Kind kind);  // "too_big", "fragmentation", "neighbour", "cap", "unclear"

struct EndFacts {
  EndKind kind = EndKind::kRunning;
  std::string detail;  // one sentence for the user, with the numbers
  Reading<int> exit_code;
  Reading<int> signal;
  std::optional<GpuOom> oom;  // the last one, even if the run survived it
  unsigned survived_ooms = 0;
};

}  // namespace gputop
