#include "gputop/term/osc.hpp"
#include "gputop/viewer/interface_factory.hpp"

#include <unistd.h>

#include "gputop/base/signal_name.hpp"
#include "gputop/config/environment.hpp"
#include "gputop/config/text_file.hpp"
#include "gputop/sources/process_signal.hpp"

namespace gputop {
namespace {

std::vector<std::string> texts_of(const std::vector<Problem>& problems) {
  std::vector<std::string> texts;
  for (const auto& problem : problems) texts.push_back(to_string(problem));
  return texts;
}

struct CommonPerformer {
  const CommonEffects& world;

  bool operator()(const SendSignal& request) const {
    const auto sent = signal_process(request.pid, request.started, request.signal);
    const std::string whom = signal_name(request.signal) + " to process " + std::to_string(request.pid) + ": ";
    const std::string text = whom + (sent ? "sent" : sent.error().message);
    world.interface.notify(text);
    world.engine.publish({world.loop.now(), Noted{sent ? Noted::Severity::kInfo : Noted::Severity::kWarning, text}});
    return true;
  }
  bool operator()(const SetInterval& request) const {
    world.engine.set_interval(request.interval);
    return true;
  }
  bool operator()(const SelectTheme& request) const {
    const auto loaded = world.preferences.themes.load(request.name);
    world.interface.set_theme(loaded.theme);
    world.interface.set_problems(texts_of(loaded.problems));
    return true;
  }
  bool operator()(const SetMouse& request) const {
    world.surface.set_mouse(request.on);
    return true;
  }
  bool operator()(const SaveSettings&) const {
    const auto saved = save_settings(world.preferences.path, world.interface.settings());
    world.interface.notify(saved ? "settings saved to " + world.preferences.path.string() : saved.error().message);
    return true;
  }
  // To the terminal's clipboard (OSC 52), and to a file: many terminals ignore OSC 52, and none reports it.
  bool operator()(const CopyText& copy) const {
    const auto path = config_directory(process_environment()) / "copied.txt";
    const auto written = replace_text_file(path, copy.text);
    const auto clipboard = term::to_clipboard(copy.text);
    if (clipboard) world.surface.say(*clipboard);
    world.interface.notify(written ? (clipboard ? "copied: clipboard and " : "copied to ") + path.string()
                                   : written.error().message);
    return true;
  }
  bool operator()(const Redraw&) const {
    world.surface.repaint();
    return true;
  }
  template <class Other>
  bool operator()(const Other&) const {
    return false;
  }
};

}  // namespace

ui::GlyphSet glyphs_of(bool utf8, bool linux_console) {
  if (!utf8) return ui::GlyphSet::kAscii;
  return linux_console ? ui::GlyphSet::kBlocks : ui::GlyphSet::kBraille;  // the console's font has no braille
}

ui::Interface make_interface(const Preferences& preferences, const ViewerTraits& traits) {
  term::keep_ftxui_from_reducing_colors();
  const auto uid = ::getuid();
  ui::Interface interface {
    preferences.settings, preferences.theme, traits.depth, traits.glyphs, ui::Identity {
      .uid = uid, .root = uid == 0, .readonly = traits.readonly
    }
  };
  if (!preferences.theme_chosen) interface.follow_background();
  interface.set_themes(preferences.themes.names());
  interface.set_problems(texts_of(preferences.problems));
  return interface;
}

bool CommonEffects::perform(const Effect& effect) const {
  return std::visit(CommonPerformer{*this}, effect);
}

}  // namespace gputop
