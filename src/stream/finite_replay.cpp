#include "gputop/stream/finite_replay.hpp"

namespace gputop {
namespace {

// A replay that reports its end: the end of the stream is an event like any other.
class FiniteReplay final : public Source {
 public:
  FiniteReplay(Loop& loop, RecordingReader reader, double speed)
      : loop_(loop), replay_(make_replay_source(std::move(reader), speed)) {}

  [[nodiscard]] std::string_view name() const override { return replay_->name(); }
  void start(Instant now, Sink sink) override {
    sink_ = sink;
    replay_->start(now, std::move(sink));
  }
  void tick(Instant now) override {
    if (over_) return;
    replay_->tick(now);
    if (!replay_->finished()) {
      // One batch at a time, so Ctrl-C is handled in between; the engine's ticks would be too far apart.
      if (replay_->speed() == ReplaySource::kAsFastAsPossible) loop_.post([this] { tick(loop_.now()); });
      return;
    }
    over_ = true;
    const Instant at = replay_->position().value_or(Instant{});
    for (const auto& problem : replay_->problems()) sink_({at, Noted{Noted::Severity::kWarning, problem}});
    sink_({at, StreamEnded{"the recording ends here"}});
  }
  void stop() override { replay_->stop(); }

 private:
  Loop& loop_;
  std::unique_ptr<ReplaySource> replay_;
  Sink sink_;
  bool over_ = false;
};

}  // namespace

std::unique_ptr<Source> make_finite_replay(Loop& loop, RecordingReader reader, double speed) {
  return std::make_unique<FiniteReplay>(loop, std::move(reader), speed);
}

}  // namespace gputop
