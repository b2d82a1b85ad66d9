// --record: writes every event of the engine to a file, and publishes the file's own notes to the stream.
#pragma once

#include <memory>
#include <string>

#include "gputop/stream/archive.hpp"
#include "gputop/stream/engine.hpp"
#include "gputop/store/recording_writer.hpp"

namespace gputop {

// Outlives the engine's loop. The destructor ends the file.
class Recorder final : public Archive {
 public:
  // Errors: the file exists, or cannot be created.
  static Result<std::unique_ptr<Recorder>> start(Loop& loop, Engine& engine, const std::string& path);
  // The same, appending to what an earlier engine of this run wrote.
  struct Resumed;
  static Result<Resumed> resume(Loop& loop, Engine& engine, const std::string& path);

  // What is missing from the file and why, for the user; "" if nothing is.
  [[nodiscard]] std::string trouble() const;

  bool has_room() override { return writer_.state().has_room; }
  std::uint64_t received() override { return writer_.state().appended; }
  std::uint64_t settled() override { return writer_.state().settled; }
  std::uint64_t steps() override { return writer_.state().steps; }
  void hurry() override { writer_.flush_soon(); }

 private:
  Recorder(Loop& loop, Engine& engine, RecordingWriter writer);
  void heard(const Event& event);

  Loop& loop_;
  Engine& engine_;
  RecordingWriter writer_;
  Engine::Subscription subscription_;
  bool paused_ = false;
  bool was_paused_ = false;
};

struct Recorder::Resumed {
  RecordingTail tail;  // of the existing file
  std::unique_ptr<Recorder> recorder;
};

}  // namespace gputop
