// A recording being written: when to flush, and what to do if the disk refuses. Time is passed in; the file is an
// interface. RecordingWriter runs it on a thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "gputop/core/event.hpp"
#include "store/output_file.hpp"
#include "store/recording_encoder.hpp"

namespace gputop::store {

// Readings may be dropped if necessary; one-time events may not.
bool is_sample(const Event& event);
// Its approximate size in memory.
std::size_t weight_of(const Event& event);

// A time span whose readings were not recorded.
struct Gap {
  Instant from;
  Instant to;
  std::string reason;

  // The gap extended to cover this time.
  static void extend(std::optional<Gap>& gap, Instant at, const std::string& reason);
};

class RecordingSession {
 public:
  using Time = std::chrono::steady_clock::time_point;
  // After kill -9, everything older than 2 s must be readable. At one reading per second this compresses two at a time.
  static constexpr std::chrono::milliseconds kFlushAfter{1500};
  static constexpr std::chrono::seconds kRetryAfter{3};
  // Limit for events kept while paused.
  static constexpr std::size_t kMostHeld = 256;
  static constexpr std::size_t kMostHeldBytes = std::size_t{2} << 20U;
  // Limits how much output accumulates in memory.
  static constexpr std::size_t kFlushText = std::size_t{1} << 20U;

  RecordingSession(std::string path, std::unique_ptr<OutputFile> file, std::unique_ptr<RecordingEncoder> encoder);

  void append(const Event& event, Time now);
  // Readings that were dropped before they got here.
  void add_gap(const Gap& gap);
  // Flushes and retries whatever is due.
  void tick(Time now);
  void flush(Time now);
  // Flushes and ends the frame. The error says what is missing at the end of the file, and why.
  Status finish(Time now);

  // When tick() next has something to do.
  [[nodiscard]] std::optional<Time> due() const;
  [[nodiscard]] bool paused() const { return !reason_.empty(); }
  // Everything appended is in the file.
  [[nodiscard]] bool is_flushed() const { return !paused() && !unflushed_since_; }
  // Why it is paused, for the user; "" if it is not.
  [[nodiscard]] const std::string& reason() const { return reason_; }
  [[nodiscard]] std::uint64_t bytes_written() const { return size_; }

 private:
  void encode(const Event& event);
  void write_out(Time now);

  std::string path_;
  std::unique_ptr<OutputFile> file_;
  std::unique_ptr<RecordingEncoder> encoder_;
  std::uint64_t size_ = 0;  // the file is valid up to here
  std::optional<Time> unflushed_since_;
  std::string reason_;
  Time retry_at_;
  std::optional<Gap> gap_;
  std::deque<Event> held_;
  std::size_t held_bytes_ = 0;
};

}  // namespace gputop::store
