#include "gputop/viewer/session.hpp"

#include <chrono>

#include "gputop/app/alarm.hpp"
#include "gputop/term/osc.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

// The host answers at the tick itself, the GPUs a moment later: one frame shows both.
constexpr Duration kGather = 25ms;
// Redraw interval for a job that floods its output.
constexpr Duration kOutputPause = 50ms;
// Redraw interval while a window is being resized.
constexpr Duration kResizePause = 100ms;

// How long a redraw may wait for events that accompany this one.
Duration patience_for(const Event& event) {
  if (std::holds_alternative<OutputWritten>(event.payload)) return kOutputPause;
  const bool part =
      std::holds_alternative<HostSampled>(event.payload) || std::holds_alternative<ProcessesSampled>(event.payload);
  return part ? kGather : Duration{};
}

}  // namespace

Session::Session(Loop& loop,
                 const Engine& engine,
                 ui::Interface interface,
                 Surface& surface,
                 Perform perform,
                 Drawn drawn)
    : loop_(loop),
      engine_(engine),
      interface_(std::move(interface)),
      surface_(surface),
      perform_(std::move(perform)),
      drawn_(std::move(drawn)),
      timer_(loop.make_timer()),
      last_resize_draw_(loop.now() - kResizePause) {}

void Session::heard(const Event& event) {
  if (interface_.settings().notify && engine_.live()) {
    if (const auto alarm = alarm_of(event, engine_.model())) surface_.say(term::to_desktop(alarm->text));
  }
  draw_at(loop_.now() + patience_for(event));
}

void Session::resize(int width, int height) {
  if (width == width_ && height == height_) return;
  width_ = width;
  height_ = height;
  const Instant next = std::max(loop_.now(), last_resize_draw_ + kResizePause);
  last_resize_draw_ = next;
  draw_at(next);
}

void Session::look_back_into(std::function<PastSearch::Source()> source) {
  interface_.set_recorded(true);
  past_ = std::make_unique<PastSearch>(loop_, std::move(source),
                                       PastSearch::Handlers{.answer =
                                                                [this](ui::PastAnswer answer) {
                                                                  interface_.answer(std::move(answer));
                                                                  draw_at(loop_.now());
                                                                },
                                                            .progress =
                                                                [this](std::uint64_t request, int percent) {
                                                                  interface_.looked_back(request, percent);
                                                                  draw_at(loop_.now());
                                                                }});
}

void Session::key(const ftxui::Event& event) {
  perform(interface_.handle(event, engine_.model()));
}

void Session::paste(std::string_view text) {
  perform(interface_.paste(text));
}

void Session::background(std::string_view answer) {
  perform(interface_.background(answer, engine_.model()));
}

void Session::perform(const std::vector<Effect>& effects) {
  for (const auto& effect : effects) {
    const auto* wanted = std::get_if<LookBack>(&effect);
    if (wanted == nullptr) {
      perform_(effect, interface_);
    } else if (past_) {
      past_->ask(*wanted);
    }
  }
  draw_at(loop_.now());
}

// The earliest requested moment wins; whatever comes before it is drawn with it.
void Session::draw_at(Instant when) {
  if (due_ && *due_ <= when) return;
  due_ = when;
  timer_->at(when, [this] { draw(); });
}

void Session::draw() {
  due_.reset();
  if (!frame_) frame_ = surface_.spare();
  if (!frame_ || frame_->cells.dimx() != width_ || frame_->cells.dimy() != height_) {
    frame_ = term::Frame{ftxui::Screen{width_, height_}, std::nullopt, {}};
  }
  if (!interface_.render(engine_.model(), frame_->cells, &frame_->rows)) return;
  const auto cursor = frame_->cells.cursor();  // of an input line
  frame_->cursor.reset();
  if (cursor.shape != ftxui::Screen::Cursor::Hidden) frame_->cursor = term::CursorPlace{cursor.x, cursor.y};
  // Ask before the first frame: the terminal answers the frame's own question after this one, so no answer is pending
  // when the viewer leaves.
  if (interface_.follows_background() && !std::exchange(asked_background_, true)) surface_.say(term::ask_background());
  surface_.show(*std::exchange(frame_, std::nullopt));
  if (drawn_) drawn_(interface_);
}

}  // namespace gputop
