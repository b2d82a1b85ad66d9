// What stands where the GPUs would: why there are none, and what works all the same.
#pragma once

#include <string>
#include <vector>

#include "gputop/app/model.hpp"

namespace gputop::ui {

struct NoGpus {
  std::vector<std::string> why;
  std::vector<std::string> next;  // commands to try; empty beside a run, which is what there is to see
};
// Wrapped to this width. Empty where GPUs may still come.
NoGpus no_gpus(const Model& model, int width);

}  // namespace gputop::ui
