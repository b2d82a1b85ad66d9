// One user at one screen: events of the engine and keys come in, frames and effects go out.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "gputop/stream/engine.hpp"
#include "gputop/ui/interface.hpp"
#include "gputop/viewer/past_search.hpp"
#include "gputop/viewer/surface.hpp"

namespace gputop {

// Lives on the loop's thread; loop, engine and surface outlive it.
class Session {
 public:
  using Perform = std::function<void(const Effect&, ui::Interface&)>;
  using Drawn = std::function<void(const ui::Interface&)>;

  // Called after each frame.
  Session(Loop& loop,
          const Engine& engine,
          ui::Interface interface,
          Surface& surface,
          Perform perform,
          Drawn drawn = {});

  // Searched for older output when the user asks for it.
  void look_back_into(std::function<PastSearch::Source()> source);
  // Draws what is already known, at once: the loop may have much else to do.
  void start() { draw(); }
  // Draws soon: one frame for all events of a reading.
  void heard(const Event& event);
  void resize(int width, int height);
  void key(const ftxui::Event& event);
  void paste(std::string_view text);
  // The terminal reported its background color.
  void background(std::string_view answer);

  [[nodiscard]] ui::Interface& interface() { return interface_; }

 private:
  void draw();
  void draw_at(Instant when);
  void perform(const std::vector<Effect>& effects);

  Loop& loop_;
  const Engine& engine_;
  ui::Interface interface_;
  Surface& surface_;
  Perform perform_;
  Drawn drawn_;
  std::unique_ptr<PastSearch> past_;
  std::unique_ptr<Loop::Timer> timer_;
  std::optional<Instant> due_;
  std::optional<term::Frame> frame_;  // to paint the next one into
  Instant last_resize_draw_;
  bool asked_background_ = false;
  int width_ = 80;
  int height_ = 24;
};

}  // namespace gputop
