// What the advisor knows about a run's settings, as evidence for where they are set.
#pragma once

#include "gputop/advisor/facts.hpp"
#include "gputop/knobs/candidate.hpp"

namespace gputop {

// Only what was seen (by the lens, in the output, from outside), never what was guessed or only written down.
knobs::Evidence knob_evidence(const SettingFacts& settings);

}  // namespace gputop
