// One sample's training step of a named model as a rehearsal counted it (configs/counted.csv), in 16-bit autocast.
#pragma once

namespace gputop {

struct CountedStep {
  double size = 0;             // pixels of a side
  double saved_half = 0;       // bytes kept for the backward pass
  double saved_single = 0;     // the same in fp32
  double saved_eager = 0;      // in 16 bits with attention that stores its scores; 0: it has no attention
  double dense_flops = 0;      // of matrix products and convolutions, both passes
  double grouped_flops = 0;    // of grouped convolutions
  double bytes = 0;            // read and written
  double scattered_bytes = 0;  // by depthwise convolutions, not in `bytes`
  double kernels = 0;          // of the whole batch
};

}  // namespace gputop
