// Reads a recording event by event in bounded memory. Returns whatever is readable of a damaged, truncated or foreign
// file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gputop/core/event.hpp"
#include "gputop/core/result.hpp"

namespace gputop {

// Not thread-safe. Never throws, whatever the file contains.
class RecordingReader {
 public:
  // Errors: no such file, not a recording, written by a newer gputop, nothing readable in it.
  static Result<RecordingReader> open(const std::string& path);
  // Reads only the first `bytes` of a file that another process appends to: the part that stays readable.
  static Result<RecordingReader> open_before(const std::string& path, std::uint64_t bytes);

  RecordingReader(RecordingReader&&) noexcept;
  RecordingReader& operator=(RecordingReader&&) noexcept;
  ~RecordingReader();

  // The next event, or nullptr at the end. Valid until the next call: events are decoded in place, not copied.
  const Event* next();

  // Restarts at the last frame that begins at or before this time. The events that follow begin with the stream's start
  // and its sources, then full readings from up to ten minutes before `at`.
  void seek(Instant at);

  // Reads only what a summary needs from all frames that end before this time, except the first: a reader of ten days
  // needs only the last minutes in full. Skips readings of the host and of processes, and most lens ticks and progress
  // lines. Of the GPUs' readings it decodes utilization, memory, power with its limits, temperature, state and names;
  // the rest stays unknown.
  void skim_before(Instant until);

  // Whether to return progress lines while skimming; they add nothing while a lens counts steps. May change at any
  // time.
  void skim_progress(bool wanted);

  // Of the frequent events (readings, output, lens ticks), returns only the GPUs' readings.
  void leave_out_all_but_gpus();

  // Unpacks and verifies on its own thread, ahead of next(): for callers that read a long recording at once.
  void read_ahead();

  // The file is still being written, so a missing end is not an error.
  void expect_open();
  // It ends within a frame: its writer was killed or is still writing. Known only at the end.
  [[nodiscard]] bool cut_off() const;

  // What is wrong with the part read so far, for the user: "damaged at byte 123456: lost 00:04:59 between …".
  [[nodiscard]] std::vector<std::string> problems() const;

 private:
  class Impl;
  explicit RecordingReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace gputop
