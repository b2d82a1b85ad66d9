// .gputop.yaml in a project's folder: which place of a knob the user chose. Text in, text out.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gputop/core/result.hpp"

namespace gputop::knobs {

inline constexpr std::string_view kProjectFile = ".gputop.yaml";

// {knob, place} of "knobs: {batch_size: configs/train.yaml:data.batch_size}". Errors: not YAML.
Result<std::vector<std::pair<std::string, std::string>>> remembered_places(std::string_view text);

// The text with this choice in it; everything else kept byte for byte. From an empty text: a commented file.
Result<std::string> remember_place(std::string_view text, const std::string& knob, const std::string& place);

}  // namespace gputop::knobs
