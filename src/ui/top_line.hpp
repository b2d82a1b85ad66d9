// The screen's first and last row.
#pragma once

#include <span>

#include "ui/keymap.hpp"
#include "ui/look.hpp"

namespace gputop::ui {

// What, where, since when, how the GPUs are, how often. SIMULATED stands first in line for room.
ftxui::Element top_line(const Model& model, const Look& look, int width, bool framed,
                        const std::string& gpus_shown);
// The keys: those of the focused pane first, each at its place; a message instead, while there is one.
ftxui::Element key_line(const Model& model, const Look& look, std::span<const KeyContext> contexts, bool framed);

}  // namespace gputop::ui
