// Reads a recording event by event, in bounded memory. A damaged, cut or foreign file gives what can be read of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gputop/core/event.hpp"
#include "gputop/core/result.hpp"

namespace gputop {

// One thread at a time. Never throws on anything a file may hold.
class RecordingReader {
 public:
  // Errors: no such file, not a recording, written by a newer gputop, nothing in it that can be read.
  static Result<RecordingReader> open(const std::string& path);
  // The first `bytes` of a file that somebody goes on with behind them: what stays readable when he has.
  static Result<RecordingReader> open_before(const std::string& path, std::uint64_t bytes);

  RecordingReader(RecordingReader&&) noexcept;
  RecordingReader& operator=(RecordingReader&&) noexcept;
  ~RecordingReader();

  // The next event, or nullptr at the end. Valid until the next call: events are decoded in place, not copied.
  const Event* next();

  // Starts again at the last frame that begins at or before this moment: the events that follow begin with the stream's
  // start and its sources, then full readings of up to ten minutes before `at`.
  void seek(Instant at);

  // Of all frames that end before this moment, but for the first one, reads only what a summary needs: who reads ten
  // days wants all of the last minutes. Readings of the host and of processes are left out, and most ticks of lenses
  // and printed lines of progress. Of the GPUs' readings, utilisation, memory, power with its limits, temperature,
  // state and names are there, and all else is unknown.
  void skim_before(Instant until);

  // Whether printed lines of progress are of interest to who skims; while a lens counts, they say nothing new. May
  // change at any time.
  void skim_progress(bool wanted);

  // Of what comes again and again (readings, output, ticks of lenses), only the GPUs' readings are given.
  void leave_out_all_but_gpus();

  // Unpacks and checks on a thread of its own, ahead of next(): for who reads all of a long recording at once.
  void read_ahead();

  // The file is still being written: that it was not closed is nothing wrong with it.
  void expect_open();
  // It ends within a frame: its writer was killed, or goes on writing. Known at the end.
  [[nodiscard]] bool cut_off() const;

  // What is wrong with the file, as far as it was read, for people: "damaged at byte 123456: lost 00:04:59 between …".
  [[nodiscard]] std::vector<std::string> problems() const;

 private:
  class Impl;
  explicit RecordingReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace gputop
