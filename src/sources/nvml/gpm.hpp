// GPM: what the chip's own counters say about how its time was spent. Hopper and newer; everything goes by return code.
#pragma once

#include <array>

#include "gputop/core/gpu.hpp"
#include "sources/nvml/calls.hpp"

namespace gputop::nvml {

// Of one GPU, or of one of its MIG instances; used by one thread at a time. Two samples make a reading: the first call
// answers nothing. The samples are never given back: a call for a GPU that is gone may not return.
class GpmReader {
 public:
  GpmReader() = default;
  explicit GpmReader(unsigned gpu_instance) : instance_(gpu_instance) {}

  // Unknown where the driver does not support it, refuses it (a locked-down container) or has only one sample so far.
  GpuActivity read(const Api& api, Calls& calls);
  [[nodiscard]] bool supported() const { return state_ == State::kWorks; }
  [[nodiscard]] unsigned gpu_instance() const { return instance_; }

 private:
  enum class State { kNotAsked, kWorks, kRefused };

  bool prepare(const Api& api, Calls& calls);
  Code take(const Api& api, Calls& calls, GpmSample sample) const;

  unsigned instance_ = kNoInstance;
  State state_ = State::kNotAsked;
  std::array<GpmSample, 2> samples_{};
  std::size_t next_ = 0;
  bool has_first_ = false;
};

}  // namespace gputop::nvml
