// --record: every event of the engine into a file, and what the file has to say back into the stream.
#pragma once

#include <memory>
#include <string>

#include "gputop/engine/engine.hpp"
#include "gputop/store/recording_writer.hpp"

namespace gputop::cli {

// Outlives the engine's loop. Destroying it ends the file.
class Recorder {
 public:
  // Errors: the file exists, cannot be made.
  static Result<std::unique_ptr<Recorder>> start(Loop& loop, Engine& engine, const std::string& path);
  // The same behind what an earlier engine of this run has written.
  static Result<std::unique_ptr<Recorder>> resume(Loop& loop, Engine& engine, const std::string& path);

  // What was published so far is in the file, or the patience is over.
  void secure(std::chrono::milliseconds patience) { static_cast<void>(writer_.flush(patience)); }

 private:
  Recorder(Loop& loop, Engine& engine, RecordingWriter writer);
  void heard(const Event& event);

  Loop& loop_;
  Engine& engine_;
  RecordingWriter writer_;
  Engine::Subscription subscription_;
  bool paused_ = false;
};

}  // namespace gputop::cli
