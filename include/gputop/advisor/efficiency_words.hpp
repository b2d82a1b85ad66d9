// How well a run uses its GPUs and what that costs, in words: the one list that the screen, reports and summaries show.
#pragma once

#include <string>
#include <vector>

#include "gputop/advisor/facts.hpp"

namespace gputop {

struct EfficiencyFigure {
  std::string name;   // "MFU", "energy", "energy per 1,000 samples", "cost"
  std::string value;  // "41 %", "12.5 Wh"
  std::string note;   // what it is measured by, or against; "" if there is nothing to say
  std::string brief;  // name and value for a narrow place: "MFU 41 %", "0.13 Wh/1,000 samples"
};

// Those that are known, always in the same order.
std::vector<EfficiencyFigure> efficiency_figures(const EfficiencyFacts& facts);
// The briefs, joined by ", "; "" if none is known.
std::string efficiency_in_words(const EfficiencyFacts& facts);

}  // namespace gputop
