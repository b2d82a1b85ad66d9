// The advisor's results as text: JSON (schema gputop.advice/1), a page for people, one line for a log.
#pragma once

#include <string>

#include "gputop/advisor/advisor.hpp"
#include "gputop/core/event.hpp"

namespace gputop {

std::string advice_json(const Advice& advice, const Facts& facts);
std::string advice_text(const Advice& advice, const Facts& facts);

// "The GPU waits for data: workers 2 → 6 (×1.5–1.7); the GPU waits 41 % …": without a line break.
std::string advice_line(const Advised& advised);
std::string advice_line(const Finding& finding);

}  // namespace gputop
