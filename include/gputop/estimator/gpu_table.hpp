// The cards gputop knows by name (configs/gpus.yaml), to estimate for another machine.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/gpu.hpp"
#include "gputop/core/result.hpp"
#include "gputop/core/units.hpp"

namespace gputop {

struct GpuCard {
  std::string name;
  Bytes memory;
  ComputeCapability capability;
  double bandwidth = 0;  // GB/s; 0: not in the table
  double power = 0;      // W, of the board
  double peak_fp32 = 0;  // TFLOP/s of dense matrix products; 0: not in the table
  double peak_tf32 = 0;
  double peak_fp16 = 0;
  double peak_bf16 = 0;
  bool tf32 = false;
  bool bf16 = false;
};

struct GpuTable {
  std::vector<GpuCard> cards;
};

// "RTX 3090", "rtx3090", "NVIDIA GeForce RTX 3090", "3090". The error lists similar cards, or all cards that an
// ambiguous name matches ("A100").
Result<GpuCard> find_gpu(const GpuTable& table, std::string_view name);

}  // namespace gputop
