// Appends events to a recording. The caller never waits for the disk.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "gputop/core/event.hpp"
#include "gputop/core/result.hpp"
#include "gputop/store/recording_tail.hpp"

namespace gputop {

namespace store {
class OutputFile;
}

// A thread of its own compresses and writes, behind a bounded queue. A full disk pauses the recording; the thread
// retries every few seconds, and what was missed becomes a RecordingGap. A hanging disk costs the oldest readings in
// the queue, which also become a gap. Thread-safe.
class RecordingWriter {
 public:
  struct State {
    bool paused = false;
    std::string reason;               // why it is paused, for the user
    std::uint64_t bytes_written = 0;  // to the file so far
    std::uint64_t dropped = 0;        // events that arrived faster than the disk accepted them
    std::uint64_t appended = 0;       // events so far
    std::uint64_t steps = 0;          // of the writing thread; they stop when the disk hangs
    std::uint64_t settled = 0;        // of these, in the file, or given up because the disk refuses
    bool has_room = true;             // the queue accepts more without dropping anything
  };

  // Creates the file (0600) and its folders (0700). Errors: it exists and is not empty, is a link, cannot be created.
  static Result<RecordingWriter> create(const std::string& path);
  // Appends to an existing recording (for an engine that replaces a killed one). The events that follow must begin with
  // a StreamStarted of the same stream. Creates the file again if it is gone. Additional error: another process writes
  // to it.
  struct Resumed;
  static Result<Resumed> resume(const std::string& path);
  // The same for a file the caller provides. The path appears in messages only.
  static Result<RecordingWriter> create(const std::string& path,
                                        std::unique_ptr<store::OutputFile> file,
                                        const OutputEnds& recorded = {});

  RecordingWriter(RecordingWriter&&) noexcept;
  RecordingWriter& operator=(RecordingWriter&&) noexcept;
  ~RecordingWriter();  // closes

  void append(Event event);
  // Settles everything appended so far as soon as the disk allows; does not wait for it.
  void flush_soon();
  // Waits until everything appended so far is in the file or the time is up. False: it is not.
  bool flush(std::chrono::milliseconds patience);
  // Ends the file. Waits at most `patience`; a hanging disk keeps what it has. Later calls do nothing.
  Status close(std::chrono::milliseconds patience = std::chrono::seconds{3});

  [[nodiscard]] State state() const;

 private:
  struct Shared;
  explicit RecordingWriter(std::shared_ptr<Shared> shared);
  std::shared_ptr<Shared> shared_;  // shared with the thread, which may outlive us if the disk hangs
};

struct RecordingWriter::Resumed {
  RecordingTail tail;  // of the existing file
  RecordingWriter writer;
};

}  // namespace gputop
