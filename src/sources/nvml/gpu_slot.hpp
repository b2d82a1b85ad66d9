// Everything the NVML source keeps about one GPU.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "sources/nvml/fast_reader.hpp"
#include "sources/nvml/session.hpp"
#include "sources/nvml/slow_reader.hpp"

namespace gputop::nvml {

using Clock = std::chrono::steady_clock;

enum class LaneKind : std::size_t { kFast = 0, kSlow = 1 };

// A call on this GPU that has not returned.
struct Hang {
  Clock::time_point since;
  const char* function = "";
  bool probed = false;  // the abandoned thread probes the GPU until it answers again
};

struct GpuSlot {
  explicit GpuSlot(unsigned nvml_index) : index(nvml_index) {}

  // Guarded by the source's mutex.
  const unsigned index;
  std::shared_ptr<Handle> handle;  // null: not looked up yet, failed or lost
  Identity identity;
  GpuState state = GpuState::kOk;
  std::string trouble;  // the fast lane's last failure
  FastPart fast;
  GpuReading slow;  // the slow lane's fields; its failure is in `error`
  Clock::time_point look_up_again{};
  std::array<std::optional<Hang>, 2> hangs;  // by lane

  // Owned by the thread that visits the GPU for that lane.
  FastReader fast_reader;
  SlowReader slow_reader;
  GpuReading slow_scratch;
  std::shared_ptr<Handle> slow_handle;  // the handle slow_reader's state belongs to

  [[nodiscard]] std::optional<Hang>& hang(LaneKind lane) { return hangs[static_cast<std::size_t>(lane)]; }
  [[nodiscard]] bool hangs_anywhere() const { return hangs[0] || hangs[1]; }

  // The current reading of this GPU, merged with the slow lane's part.
  [[nodiscard]] GpuReading reading(Clock::time_point now, const GpuReading& slow_part) const;
};

std::string not_answering(const Hang& hang, Clock::time_point now);

}  // namespace gputop::nvml
