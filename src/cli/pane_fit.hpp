// The size of the job's terminal: that of the output pane of one viewer. Several may look on, and one that has changed
// last (it came, was resized, typed into the job) is the one that it fits; the others see as much of it as they can.
#pragma once

#include <memory>
#include <optional>

#include "gputop/engine/loop.hpp"
#include "gputop/run/run_channel.hpp"
#include "gputop/term/emulator.hpp"
#include "gputop/ui/interface.hpp"

namespace gputop::cli {

// Lives on the loop's thread and outlives its panes.
class PaneFit {
 public:
  using Size = ui::Interface::OutputSize;

  // `emulator`: none while the job has no terminal.
  PaneFit(Loop& loop, run::RunChannel& channel, std::optional<term::Emulator>& emulator);

  // One viewer's, as long as it is there.
  class Pane {
   public:
    explicit Pane(PaneFit& fit) : fit_(fit) {}
    ~Pane();
    Pane(const Pane&) = delete;
    Pane& operator=(const Pane&) = delete;

    void drawn(const std::optional<Size>& size);  // nullopt: it is hidden
    void typed();                                 // into the job

   private:
    PaneFit& fit_;
    std::optional<Size> size_;
  };
  std::shared_ptr<Pane> open() { return std::make_shared<Pane>(*this); }

 private:
  void fit(const Size& size);

  Loop& loop_;
  run::RunChannel& channel_;
  std::optional<term::Emulator>& emulator_;
  const Pane* leader_ = nullptr;
  std::unique_ptr<Loop::Timer> timer_;
  Size wanted_{};
  Instant fitted_at_;
};

}  // namespace gputop::cli
