// Appends events to a recording without ever making the caller wait for the disk.
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

// Packing and writing happen on a thread of its own, behind a bounded queue. A full disk pauses the recording; it is
// tried again every few seconds, and what was missed becomes a RecordingGap. A disk that hangs costs the oldest
// readings in the queue, likewise. Every function may be called from any thread.
class RecordingWriter {
 public:
  struct State {
    bool paused = false;
    std::string reason;               // why it is paused, for people
    std::uint64_t bytes_written = 0;  // so far in the file
    std::uint64_t dropped = 0;        // events that came faster than the disk took them
    std::uint64_t appended = 0;       // events so far
    std::uint64_t steps = 0;          // of the thread that packs and writes: they stand still when the disk hangs
    std::uint64_t settled = 0;        // of them: in the file, or given up because the disk refuses
    bool has_room = true;             // more can come without anything being dropped
  };

  // Creates the file (0600) and its folders (0700). Errors: it exists and is not empty, is a link, cannot be made.
  static Result<RecordingWriter> create(const std::string& path);
  // Goes on behind what is there (an engine that takes over from one that was killed). The events that follow begin
  // with a StreamStarted of the same stream. A file that is gone is begun anew. Errors also: another process writes to
  // it.
  struct Resumed;
  static Result<Resumed> resume(const std::string& path);
  // The same onto a file of the caller's. The path is for messages.
  static Result<RecordingWriter> create(const std::string& path,
                                        std::unique_ptr<store::OutputFile> file,
                                        const OutputEnds& recorded = {});

  RecordingWriter(RecordingWriter&&) noexcept;
  RecordingWriter& operator=(RecordingWriter&&) noexcept;
  ~RecordingWriter();  // closes

  void append(Event event);
  // Everything appended so far is settled as soon as the disk allows; does not wait for it.
  void flush_soon();
  // Waits until everything appended so far is in the file, or the time is over. False: it is not.
  bool flush(std::chrono::milliseconds patience);
  // Ends the file. Waits no longer than the patience: a disk that hangs keeps what it has. Once; later calls do
  // nothing.
  Status close(std::chrono::milliseconds patience = std::chrono::seconds{3});

  [[nodiscard]] State state() const;

 private:
  struct Shared;
  explicit RecordingWriter(std::shared_ptr<Shared> shared);
  std::shared_ptr<Shared> shared_;  // the thread holds it, too: it may outlive us behind a disk that hangs
};

struct RecordingWriter::Resumed {
  RecordingTail tail;  // of what was there
  RecordingWriter writer;
};

}  // namespace gputop
