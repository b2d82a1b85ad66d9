#include "cli/screen.hpp"

#include <unistd.h>

#include <csignal>
#include <cstring>

#include "cli/commands.hpp"
#include "cli/preferences.hpp"
#include "gputop/sources/process_signal.hpp"
#include "gputop/term/color_depth.hpp"
#include "gputop/ui/interface.hpp"
#include "gputop/viewer/session.hpp"
#include "gputop/viewer/terminal_surface.hpp"

namespace gputop::cli {
namespace {

ui::GlyphSet glyphs_of(const term::TerminalTraits& traits) {
  if (!traits.utf8) return ui::GlyphSet::kAscii;
  // The Linux console's font has boxes and blocks, but no braille.
  return process_environment()("TERM") == "linux" ? ui::GlyphSet::kBlocks : ui::GlyphSet::kBraille;
}

std::vector<std::string> texts_of(const std::vector<Problem>& problems) {
  std::vector<std::string> texts;
  for (const auto& problem : problems) texts.push_back(to_string(problem));
  return texts;
}

// What a key asked the world to do.
struct Performer {
  Loop& loop;
  Engine& engine;
  Surface& surface;
  Preferences& preferences;
  ui::Interface& interface;

  void operator()(const Quit&) const { loop.stop(); }
  void operator()(const SendSignal& request) const {
    const auto sent = signal_process(request.pid, request.started, request.signal);
    const std::string what = "SIG" + std::string{::sigabbrev_np(request.signal)};
    interface.notify(sent ? what + " sent to process " + std::to_string(request.pid) : sent.error().message);
    engine.publish({loop.now(), Noted{sent ? Noted::Severity::kInfo : Noted::Severity::kWarning,
                                      what + " to process " + std::to_string(request.pid) + ": " +
                                          (sent ? "sent" : sent.error().message)}});
  }
  void operator()(const SetInterval& request) const { engine.set_interval(request.interval); }
  void operator()(const SelectTheme& request) const {
    const auto loaded = preferences.themes.load(request.name);
    interface.set_theme(loaded.theme);
    interface.set_problems(texts_of(loaded.problems));
  }
  void operator()(const SetMouse& request) const { surface.set_mouse(request.on); }
  void operator()(const SaveSettings&) const {
    const auto saved = save_settings(preferences.path, interface.settings());
    interface.notify(saved ? "settings saved to " + preferences.path.string() : saved.error().message);
  }
  void operator()(const Redraw&) const { surface.repaint(); }
  // A screen without a run asks for none of these.
  void operator()(const TypeIntoRun&) const {}
  void operator()(const InterruptRun&) const {}
  void operator()(const StopRun&) const {}
  void operator()(const Detach&) const {}
  void operator()(const CopyText&) const {}
};

}  // namespace

bool wants_screen(const Options& options) {
  if (options.headless || ::isatty(STDOUT_FILENO) == 0) return false;
  const auto environment = process_environment();
  return environment("CI") != "true" && !term::detect_traits(environment).dumb;
}

int run_screen(Loop& loop, Engine& engine, const Options& options) {
  auto preferences = load_preferences(options);
  auto surface = TerminalSurface::open(loop, preferences.settings.mouse);
  if (!surface) {
    complain(surface.error().message);
    return 1;
  }
  const auto traits = term::detect_traits(process_environment());
  const auto uid = ::getuid();
  ui::Interface interface{preferences.settings, preferences.theme, traits.depth, glyphs_of(traits),
                          ui::Identity{.uid = uid, .root = uid == 0, .readonly = options.readonly}};
  interface.set_themes(preferences.themes.names());
  interface.set_problems(texts_of(preferences.problems));
  Session session{loop, engine, std::move(interface), **surface,
                  [&](const Effect& effect, ui::Interface& shown) {
                    std::visit(Performer{loop, engine, **surface, preferences, shown}, effect);
                  }};
  const auto subscription = engine.listen([&](const Event& event, const Model&) { session.heard(event); });
  // Not in the middle of a key, so that everything that key asked for is still done.
  loop.on_signals({SIGINT, SIGTERM, SIGHUP}, [&](int) { loop.stop(); });
  auto timer = loop.make_timer();
  if (options.duration) timer->at(loop.now() + *options.duration, [&] { loop.stop(); });
  (*surface)->start({.key = [&](const ftxui::Event& event) { session.key(event); },
                     .paste = [&](const std::string& text) { session.paste(text); },
                     .resized = [&](int width, int height) { session.resize(width, height); },
                     .gone = [&] { loop.stop(); }});
  engine.start();
  loop.run();
  return 0;
}

}  // namespace gputop::cli
