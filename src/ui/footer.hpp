// The last line: the keys that matter here, or what gputop has to say.
#pragma once

#include "ui/keymap.hpp"
#include "ui/pane.hpp"

namespace gputop::ui {

// Entries of these contexts that have a label, in the table's order; each can be clicked.
void paint_footer(PaneContext& context, Painter painter, std::span<const KeyContext> contexts, bool framed);

}  // namespace gputop::ui
