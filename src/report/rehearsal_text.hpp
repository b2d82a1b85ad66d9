// What a rehearsal adds to an estimate's text and JSON. Only for estimates that have one.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "gputop/estimator/estimate.hpp"

namespace gputop {

std::string rehearsal_headline(const Estimate& estimate);  // below the answer: how likely it is, and how it grows
std::string rehearsal_text(const Estimate& estimate);      // the rest
nlohmann::ordered_json rehearsal_json(const Estimate& estimate);

}  // namespace gputop
