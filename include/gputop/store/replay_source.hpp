// A recording as a source: its events come out at their own moments as playback time passes.
#pragma once

#include <memory>
#include <optional>

#include "gputop/core/source.hpp"
#include "gputop/store/recording_reader.hpp"

namespace gputop {

// Has no thread and no clock: events come out of tick(), at most kBatch in one call so that none takes long. Events
// keep their own Instants; SourceStatus and all else come from the recording. Scripts call tick() until finished().
class ReplaySource : public Source {
 public:
  static constexpr std::size_t kBatch = 4096;
  static constexpr double kAsFastAsPossible = 0;

  // speed: 1 = as it happened, 10 = ten times as fast, kAsFastAsPossible = do not wait at all.
  ReplaySource(RecordingReader reader, double speed);

  [[nodiscard]] std::string_view name() const override { return "replay"; }
  void start(Instant now, Sink sink) override;
  void tick(Instant now) override;
  void stop() override;

  void set_speed(double speed);
  void pause(bool paused);
  // Goes to this moment of the recording. The ticks that follow emit the stream's start, its sources, and the events of
  // the minutes before; who shows them begins with an empty Model.
  void seek(Instant to);

  // Where playback is, in the recording's time. nullopt before the first event.
  [[nodiscard]] std::optional<Instant> position() const { return position_; }
  [[nodiscard]] double speed() const { return speed_; }
  [[nodiscard]] bool paused() const { return paused_; }
  // Everything was emitted.
  [[nodiscard]] bool finished() const { return finished_; }
  [[nodiscard]] std::vector<std::string> problems() const { return reader_.problems(); }

 private:
  void advance(Instant now);

  RecordingReader reader_;
  double speed_;
  bool paused_ = false;
  bool finished_ = false;
  bool waiting_ = false;  // next_ was read and is not yet due
  const Event* next_ = nullptr;
  std::optional<Instant> position_;
  Instant last_tick_;
  Sink sink_;
};

std::unique_ptr<ReplaySource> make_replay_source(RecordingReader reader, double speed = 1);

}  // namespace gputop
