// The stage of a curriculum that a key belongs to: the items of a list (or map) called stages, phases or curriculum, or
// a section called stage_1.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gputop/knobs/document.hpp"

namespace gputop {

struct StagePath {
  std::string id;    // "curriculum.stages[1]"
  std::string name;  // its own, or its number
};

// nullopt for a key that belongs to no stage.
std::optional<StagePath> stage_of(const std::vector<std::string>& path, const knobs::Document& document);

}  // namespace gputop
