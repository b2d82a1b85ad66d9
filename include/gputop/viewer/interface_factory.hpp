// A ui::Interface for a terminal of these traits, with the user's settings and theme.
#pragma once

#include "gputop/term/color_depth.hpp"
#include "gputop/ui/interface.hpp"
#include "gputop/viewer/preferences.hpp"
#include "gputop/viewer/session.hpp"

namespace gputop {

struct ViewerTraits {
  term::ColorDepth depth = term::ColorDepth::kMono;
  ui::GlyphSet glyphs = ui::GlyphSet::kAscii;
  bool readonly = false;
};

ui::GlyphSet glyphs_of(bool utf8, bool linux_console);
ui::Interface make_interface(const Preferences& preferences, const ViewerTraits& traits);

// Effects that do not depend on where the interface is shown. False: not one of these.
struct CommonEffects {
  Loop& loop;
  Engine& engine;
  Surface& surface;
  Preferences& preferences;
  ui::Interface& interface;

  bool perform(const Effect& effect) const;
};

}  // namespace gputop
