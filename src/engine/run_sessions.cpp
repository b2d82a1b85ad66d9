#include "engine/run_sessions.hpp"

#include <algorithm>

#include "engine/run_effects.hpp"
#include "gputop/viewer/interface_factory.hpp"

namespace gputop {

RunSessions::RunSessions(const World& world) : world_(world), fit_(world.loop, world.channel, world.output) {}

std::unique_ptr<Session> RunSessions::open(Surface& surface, const Hello& hello, ViewerServer::Leave leave) {
  const ViewerTraits traits{.depth = static_cast<term::ColorDepth>(std::min<int>(hello.color_depth, 3)),
                            .glyphs = glyphs_of(hello.utf8, hello.linux_console),
                            .readonly = hello.readonly};
  auto interface = make_interface(world_.preferences, traits);
  interface.set_output(world_.output.terminal());
  const auto pane = fit_.open();
  std::erase_if(hands_, [](const auto& hand) { return hand.expired(); });
  const auto hand = std::make_shared<bool>(!traits.readonly);
  hands_.push_back(hand);
  auto session = std::make_unique<Session>(
      world_.loop, world_.engine, std::move(interface), surface,
      [this, &surface, pane, hand, leave = std::move(leave)](const Effect& effect, ui::Interface& shown) {
        if (!*hand && changes_something(effect)) return shown.notify("not done: gputop runs with --readonly");
        if (CommonEffects{world_.loop, world_.engine, surface, world_.preferences, shown}.perform(effect)) return;
        if (const auto* wanted = std::get_if<SetScrollback>(&effect)) {
          world_.preferences.settings.scrollback = wanted->lines;
          return world_.output.set_scrollback(wanted->lines);
        }
        if (std::holds_alternative<TypeIntoRun>(effect)) pane->typed();
        RunEffects{world_.channel, world_.changes, world_.record, shown, leave, world_.demo}.perform(effect);
      },
      [pane](const ui::Interface& shown) { pane->drawn(shown.output_size()); });
  if (world_.recorder) {
    session->look_back_into([this] {
      return PastSearch::Source{.path = world_.recording,
                                .archive = world_.recorder.get(),
                                .terminal = world_.output.terminal(),
                                .position = world_.channel.position(0)};
    });
  }
  return session;
}

bool RunSessions::can_change() const {
  return std::any_of(hands_.begin(), hands_.end(), [](const auto& hand) {
    const auto there = hand.lock();
    return there && *there;
  });
}

}  // namespace gputop
