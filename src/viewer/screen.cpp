#include "gputop/viewer/screen.hpp"

#include <unistd.h>

#include <csignal>

#include "gputop/base/output.hpp"
#include "gputop/run/startup_pages.hpp"
#include "gputop/store/output_ends.hpp"
#include "gputop/term/emulator.hpp"
#include "gputop/viewer/interface_factory.hpp"
#include "viewer/terminal_surface.hpp"

namespace gputop {

bool wants_screen(const WatchOptions& options) {
  if (options.headless || options.csv || ::isatty(STDOUT_FILENO) == 0) return false;
  const auto environment = process_environment();
  return environment("CI") != "true" && !term::detect_traits(environment).dumb;
}

int run_screen(Loop& loop, Engine& engine, Preferences preferences, const WatchOptions& options) {
  auto surface = TerminalSurface::open(loop, preferences.settings.mouse);
  if (!surface) {
    complain(surface.error().message);
    return 1;
  }
  const auto environment = process_environment();
  const auto traits = term::detect_traits(environment);
  const ViewerTraits viewer{.depth = traits.depth,
                            .glyphs = glyphs_of(traits.utf8, environment("TERM") == "linux"),
                            .readonly = options.readonly};
  std::optional<term::Emulator> output;  // of a replayed run
  OutputEnds ends{};                     // how far it was fed
  bool newline_returns = false;
  Session session{loop,
                  engine,
                  make_interface(preferences, viewer),
                  **surface,
                  [&](const Effect& effect, ui::Interface& interface) {
                    if (CommonEffects{loop, engine, **surface, preferences, interface}.perform(effect)) return;
                    if (const auto* wanted = std::get_if<SetScrollback>(&effect); wanted && output) {
                      output->set_scrollback(static_cast<std::size_t>(wanted->lines));
                    }
                    if (std::holds_alternative<Quit>(effect) || std::holds_alternative<Detach>(effect)) loop.stop();
                  },
                  [&](const ui::Interface& interface) {
                    const auto size = interface.output_size();
                    if (size && output) output->resize(size->columns, size->rows);
                  }};
  const auto subscription = engine.listen([&](const Event& event, const Model&) {
    if (const auto* started = std::get_if<RunStarted>(&event.payload)) {
      newline_returns = !started->terminal;
      output.emplace(
          term::Emulator::Options{.scrollback = static_cast<std::size_t>(session.interface().settings().scrollback),
                                  .newline_returns = newline_returns});
      session.interface().set_output(&*output);
      if (!options.recording.empty()) {
        session.look_back_into([&] {
          return PastSearch::Source{.path = options.recording,
                                    .terminal = &*output,
                                    .position = ends[0] + ends[1],
                                    .newline_returns = newline_returns};
        });
      }
    }
    const auto* written = std::get_if<OutputWritten>(&event.payload);
    if (written && output) {
      if (!written->unread) output->feed(written->bytes);
      if (written->stream < ends.size()) ends[written->stream] = written->offset + written->bytes.size();
    }
    session.heard(event);
  });
  loop.on_signals({SIGINT, SIGTERM, SIGHUP}, [&](int) { loop.stop(); });
  auto timer = loop.make_timer();
  if (options.duration) timer->at(Instant{} + *options.duration, [&] { loop.stop(); });
  (*surface)->start({.key = [&](const ftxui::Event& event) { session.key(event); },
                     .paste = [&](const std::string& text) { session.paste(text); },
                     .resized = [&](int width, int height) { session.resize(width, height); },
                     .gone = [&] { loop.stop(); },
                     .background = [&](std::string_view answer) { session.background(answer); }});
  run::give_back_startup_pages();  // what parsed arguments and themes does not add to the peak
  auto settled = loop.make_timer();
  settled->at(loop.now() + std::chrono::seconds{3}, [] { run::give_back_startup_pages(); });
  engine.start();
  loop.run();
  return 0;
}

}  // namespace gputop
