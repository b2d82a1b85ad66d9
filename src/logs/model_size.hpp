// How large a model is, as programs print it: "Number of parameters: 124.44M", "62.5 M    Trainable params",
// "225 layers, 3,157,200 parameters", "Trainable parameters = 41,943,040 of 8,072,204,288".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "gputop/core/reading.hpp"

namespace gputop::logs {

struct ModelSize {
  Reading<std::uint64_t> all;
  Reading<std::uint64_t> trainable;
};

// nullopt: the line names no number of parameters. Sizes in bytes, groups, tensors and frozen parts are none.
std::optional<ModelSize> read_model_size(std::string_view line);

}  // namespace gputop::logs
