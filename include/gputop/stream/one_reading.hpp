// One reading of everything: GPUs, host, processes.
#pragma once

#include <functional>
#include <memory>

#include "gputop/app/model.hpp"
#include "gputop/core/source.hpp"

namespace gputop {

// Waits until the GPUs have answered (or reported that they cannot) and the host was read, then passes on the Model
// once.
void with_one_reading(std::unique_ptr<Source> gpus, const std::function<void(const Model&)>& use);

}  // namespace gputop
