#include "gputop/viewer/session.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "support/loop_script.hpp"
#include "ui/keymap.hpp"
#include "unit/viewer/fake_screen.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

// Keeps what a terminal would have been shown.
class KeptSurface final : public Surface {
 public:
  void show(term::Frame frame) override { frames.push_back(std::move(frame)); }
  std::optional<term::Frame> spare() override { return std::nullopt; }
  void repaint() override { ++repaints; }
  void set_mouse(bool) override {}
  void say(std::string bytes) override { said += bytes; }

  [[nodiscard]] bool shows(const std::string& text) const {
    return !frames.empty() && frames.back().cells.ToString().find(text) != std::string::npos;
  }
  std::vector<term::Frame> frames;
  int repaints = 0;
  std::string said;
};

struct Seated {
  Loop loop;
  Engine engine{loop, 1h, std::make_unique<test::NoSource>(), nullptr};
  KeptSurface surface;
  std::vector<Effect> effects;
  Session session{loop, engine, test::plain_interface(), surface,
                  [this](const Effect& effect, ui::Interface&) { effects.push_back(effect); }};
  Engine::Subscription hears = engine.listen([this](const Event& event, const Model&) { session.heard(event); });
  test::LoopScript script{loop};
};

Event line(const std::string& text) {
  return {Instant{}, Noted{Noted::Severity::kWarning, text}};
}

TEST_CASE("session: the first frame is there at once, and one frame shows all events of a moment", "[viewer]") {
  Seated seat;
  seat.session.start();
  CHECK(seat.surface.frames.size() == 1);
  for (int i = 0; i < 100; ++i) seat.engine.publish(line("note " + std::to_string(i)));
  seat.script.when([&] { return seat.surface.shows("note 99"); });
  CHECK(seat.script.run());
  CHECK(seat.surface.frames.size() == 2);
}

TEST_CASE("session: a frame that would be the same is not sent", "[viewer]") {
  Seated seat;
  seat.session.start();
  bool turned = false;
  auto timer = seat.loop.make_timer();
  timer->at(seat.loop.now() + 50ms, [&] { turned = true; });
  seat.session.resize(80, 24);  // as it is
  seat.script.when([&] { return turned; });
  CHECK(seat.script.run());
  CHECK(seat.surface.frames.size() == 1);
}

TEST_CASE("session: a new size is drawn, the last of many", "[viewer]") {
  Seated seat;
  seat.session.start();
  for (int width = 81; width <= 120; ++width) seat.session.resize(width, 30);
  seat.script.when([&] { return seat.surface.frames.back().cells.dimx() == 120; });
  CHECK(seat.script.run());
  CHECK(seat.surface.frames.size() == 2);
  CHECK(seat.surface.frames.back().cells.dimy() == 30);
}

TEST_CASE("session: a key becomes an effect, and pasted text that nobody awaits none", "[viewer]") {
  Seated seat;
  seat.session.start();
  seat.session.paste("rm -rf /\n");
  CHECK(seat.effects.empty());
  seat.session.key(ui::key_event("q"));
  REQUIRE(seat.effects.size() == 1);
  CHECK(std::holds_alternative<Quit>(seat.effects[0]));
}

}  // namespace
}  // namespace gputop
