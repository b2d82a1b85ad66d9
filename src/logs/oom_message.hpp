// Out-of-memory messages of the GPU, in all their forms: PyTorch from 1.x to today (CUDA and HIP), cuBLAS and cuDNN,
// TensorFlow, JAX, others.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gputop/core/run_end.hpp"

namespace gputop::logs {

// nullopt: the line is no such message. Its kind is set.
std::optional<GpuOom> read_gpu_oom(std::string_view line);
// Lines that follow a message of cudaMallocAsync: "Requested               : 50.00 MiB". True when it was one of them.
bool continue_gpu_oom(std::string_view line, GpuOom& oom);

GpuOom::Kind kind_of(const GpuOom& oom);
// One sentence, with the numbers.
std::string in_words(const GpuOom& oom);

}  // namespace gputop::logs
