// A FramePump driven by the loop: frames to a terminal's descriptor, as fast as the terminal takes them.
#pragma once

#include <functional>
#include <memory>

#include "gputop/stream/loop.hpp"
#include "gputop/term/frame_pump.hpp"
#include "gputop/viewer/protocol.hpp"

namespace gputop {

// The descriptor is borrowed, non-blocking, and outlives this. `gone` is called when the terminal hung up.
class PumpDriver {
 public:
  PumpDriver(Loop& loop, int fd, std::function<void()> gone);

  void submit(term::Frame frame);
  [[nodiscard]] std::optional<term::Frame> take_spare() { return pump_.take_spare(); }
  void say(std::string bytes);  // bytes that draw nothing; lost while held
  void repaint();
  // Nothing is written while held; afterwards everything is redrawn. Nothing may be submitted meanwhile.
  void hold(bool on);
  void replied();                     // the KeyDecoder saw the terminal's answer
  [[nodiscard]] Asked asked() const;  // for whoever gets the terminal next
  [[nodiscard]] const term::FramePump& pump() const { return pump_; }
  [[nodiscard]] const term::FramePump::Counts& counts() const { return pump_.counts(); }

 private:
  void drive();

  Loop& loop_;
  term::FramePump pump_;
  std::function<void()> gone_;
  std::unique_ptr<Loop::Watch> output_;
  std::unique_ptr<Loop::Timer> wake_;
  bool awaiting_write_ = false;
  bool held_ = false;
};

}  // namespace gputop
