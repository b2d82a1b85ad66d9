// A recording as a source: emits its events at their own times as playback time passes.
#pragma once

#include <memory>
#include <optional>

#include "gputop/core/source.hpp"
#include "gputop/store/recording_reader.hpp"

namespace gputop {

// Has no thread and no clock: tick() emits events, at most kBatch per call so that no call takes long. Events keep
// their own Instants; all of them, including SourceStatus, come from the recording. Scripts call tick() until
// finished().
class ReplaySource : public Source {
 public:
  static constexpr std::size_t kBatch = 4096;
  static constexpr double kAsFastAsPossible = 0;

  // speed: 1 = real time, 10 = ten times as fast, kAsFastAsPossible = never wait.
  ReplaySource(RecordingReader reader, double speed);

  [[nodiscard]] std::string_view name() const override { return "replay"; }
  void start(Instant now, Sink sink) override;
  void tick(Instant now) override;
  void stop() override;

  void pause(bool paused);
  // Seeks to this time. The following ticks emit the stream's start, its sources, and the events of the minutes before;
  // the caller must start with an empty Model.
  void seek(Instant to);

  // The playback position in the recording's time. nullopt before the first event.
  [[nodiscard]] std::optional<Instant> position() const { return position_; }
  [[nodiscard]] double speed() const { return speed_; }
  [[nodiscard]] bool paused() const { return paused_; }
  // All events were emitted.
  [[nodiscard]] bool finished() const { return finished_; }
  [[nodiscard]] std::vector<std::string> problems() const { return reader_.problems(); }

 private:
  void advance(Instant now);

  RecordingReader reader_;
  double speed_;
  bool paused_ = false;
  bool finished_ = false;
  bool waiting_ = false;  // next_ was read and is not due yet
  const Event* next_ = nullptr;
  std::optional<Instant> position_;
  Instant last_tick_;
  Sink sink_;
};

std::unique_ptr<ReplaySource> make_replay_source(RecordingReader reader, double speed = 1);

}  // namespace gputop
