#include "viewer/pump_driver.hpp"

#include <algorithm>

namespace gputop {
namespace {

term::FramePump::Time clock_now() {
  return std::chrono::steady_clock::now();
}

}  // namespace

PumpDriver::PumpDriver(Loop& loop, int fd, std::function<void()> gone)
    : loop_(loop),
      pump_(fd, {.ask = true}),
      gone_(std::move(gone)),
      output_(loop.watch(fd)),
      wake_(loop.make_timer()) {}

void PumpDriver::submit(term::Frame frame) {
  pump_.submit(std::move(frame), clock_now());
  drive();
}

void PumpDriver::say(std::string bytes) {
  if (held_) return;
  pump_.say(std::move(bytes), clock_now());
  drive();
}

void PumpDriver::repaint() {
  pump_.repaint(clock_now());
  drive();
}

Asked PumpDriver::asked() const {
  return {pump_.counts().questions_sent, static_cast<std::uint16_t>(pump_.answer_patience(clock_now()).count())};
}

void PumpDriver::hold(bool on) {
  held_ = on;
  if (!on) repaint();
}

void PumpDriver::replied() {
  if (held_) return;  // a reply would trigger the next frame; hold(false) repaints anyway
  pump_.on_reply(clock_now());
  drive();
}

void PumpDriver::drive() {
  if (pump_.failed()) {
    gone_();
    return;
  }
  if (held_) return;
  if (pump_.wants_write() && !awaiting_write_) {
    awaiting_write_ = true;
    output_->when_writable([this] {
      awaiting_write_ = false;
      if (held_) return;
      pump_.on_writable(clock_now());
      drive();
    });
  }
  if (const auto wakes = pump_.wakes_at()) {
    wake_->at(loop_.now() + std::max(Duration{}, Duration{*wakes - clock_now()}), [this] {
      if (held_) return;
      pump_.on_timer(clock_now());
      drive();
    });
  }
}

}  // namespace gputop
