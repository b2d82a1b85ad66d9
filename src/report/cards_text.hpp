// How the cards compare, as text and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "gputop/estimator/card_comparison.hpp"

namespace gputop {

// The line on the one card of an estimate, or a table of several.
std::string cards_text(const CardComparison& cards);
nlohmann::ordered_json cards_json(const CardComparison& cards);

}  // namespace gputop
