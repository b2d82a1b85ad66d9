// GPM: hardware counters that say how the chip spent its time. Hopper and newer; support shows in the return codes
// only.
#pragma once

#include <array>

#include "gputop/core/gpu.hpp"
#include "sources/nvml/calls.hpp"

namespace gputop::nvml {

// For one GPU or one of its MIG instances; not thread-safe. A reading needs two samples, so the first call returns
// nothing. Samples are never freed: a call for a GPU that is gone may not return.
class GpmReader {
 public:
  GpmReader() = default;
  explicit GpmReader(unsigned gpu_instance) : instance_(gpu_instance) {}

  // Unknown if the driver does not support it, refuses it (a locked-down container) or has only one sample so far.
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
