// The size of the job's terminal: that of one viewer's output pane. With several viewers, the terminal fits the one
// that changed last (attached, was resized, typed into the job); the others see as much of it as fits.
#pragma once

#include <memory>
#include <optional>

#include "engine/run_output.hpp"
#include "gputop/run/run_channel.hpp"
#include "gputop/stream/loop.hpp"
#include "gputop/ui/interface.hpp"

namespace gputop {

// Lives on the loop's thread and outlives its panes.
class PaneFit {
 public:
  using Size = ui::Interface::OutputSize;

  PaneFit(Loop& loop, run::RunChannel& channel, RunOutput& output);

  // One viewer's pane, while the viewer is attached.
  class Pane {
   public:
    explicit Pane(PaneFit& fit) : fit_(fit) {}
    ~Pane();
    Pane(const Pane&) = delete;
    Pane& operator=(const Pane&) = delete;

    void drawn(const std::optional<Size>& size);  // nullopt: hidden
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
  RunOutput& output_;
  const Pane* leader_ = nullptr;
  std::unique_ptr<Loop::Timer> timer_;
  std::optional<Size> wanted_;  // nullopt: the job's terminal keeps its initial size
  Instant fitted_at_;
};

}  // namespace gputop
