// CardsKnown as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "gputop/core/event.hpp"

namespace gputop::store {

nlohmann::ordered_json to_json(const CardsKnown& event);
CardsKnown cards_from(const nlohmann::ordered_json& in);

}  // namespace gputop::store
