#include "engine/run_sessions.hpp"

#include <algorithm>

#include "engine/run_effects.hpp"
#include "gputop/viewer/interface_factory.hpp"

namespace gputop {

RunSessions::RunSessions(const Dependencies& needs) : needs_(needs), fit_(needs.loop, needs.channel, needs.output) {}

std::unique_ptr<Session> RunSessions::open(Surface& surface, const Hello& hello, ViewerServer::Leave leave) {
  const ViewerTraits traits{.depth = static_cast<term::ColorDepth>(std::min<int>(hello.color_depth, 3)),
                            .glyphs = glyphs_of(hello.utf8, hello.linux_console),
                            .readonly = hello.readonly};
  auto interface = make_interface(needs_.preferences, traits);
  interface.set_output(needs_.output.terminal());
  const auto pane = fit_.open();
  std::erase_if(viewers_, [](const auto& viewer) { return viewer.expired(); });
  const auto viewer = std::make_shared<Viewer>(Viewer{.id = ++last_screen_, .may_change = !traits.readonly});
  viewers_.push_back(viewer);
  auto session = std::make_unique<Session>(
      needs_.loop, needs_.engine, std::move(interface), surface,
      [this, &surface, pane, viewer, leave = std::move(leave)](const Effect& effect, ui::Interface& shown) {
        viewer->interface = &shown;
        if (!viewer->may_change && changes_something(effect))
          return shown.notify("refused: gputop runs with --readonly");
        if (CommonEffects{needs_.loop, needs_.engine, surface, needs_.preferences, shown}.perform(effect)) return;
        if (const auto* wanted = std::get_if<SetScrollback>(&effect)) {
          needs_.preferences.settings.scrollback = wanted->lines;
          return needs_.output.set_scrollback(wanted->lines);
        }
        if (std::holds_alternative<TypeIntoRun>(effect)) pane->typed();
        if (std::holds_alternative<Detach>(effect)) detached_ = true;
        RunEffects{needs_.channel, needs_.tuner, viewer->id, needs_.record, shown, leave, needs_.demo}.perform(effect);
      },
      [pane](const ui::Interface& shown) { pane->drawn(shown.output_size()); });
  if (needs_.recorder) {
    session->look_back_into([this] {
      return PastSearch::Source{.path = needs_.recording,
                                .archive = needs_.recorder.get(),
                                .terminal = needs_.output.terminal(),
                                .position = needs_.channel.position(0)};
    });
  }
  return session;
}

bool RunSessions::can_change() const {
  return std::any_of(viewers_.begin(), viewers_.end(), [](const auto& viewer) {
    const auto there = viewer.lock();
    return there && there->may_change;
  });
}

ui::Interface* RunSessions::screen(tuning::Screen id) const {
  for (const auto& viewer : viewers_) {
    if (const auto there = viewer.lock(); there && there->id == id) return there->interface;
  }
  return nullptr;
}

}  // namespace gputop
