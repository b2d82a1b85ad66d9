// Events as the JSON lines of a recording. Deterministic: the same events give the same lines, and so do the events
// that those lines are read back as.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gputop/core/event.hpp"
#include "gputop/store/output_ends.hpp"
#include "store/samples.hpp"

namespace gputop::store {

inline constexpr std::string_view kSchema = "gputop.recording/1";
// No line is longer; a reader gives up on one that is.
inline constexpr std::size_t kMaxLine = std::size_t{16} << 20U;
// A line with the checksum of what went before it comes at least this often, so that damage costs little.
inline constexpr Duration kCheckEvery = kEveryTenthTick;
inline constexpr std::size_t kCheckBytes = std::size_t{64} << 10U;

class LineEncoder {
 public:
  // The header line. What follows can be understood without anything before it.
  void begin_frame(std::uint64_t frame, Instant at, std::string& out);
  void append(const Event& event, std::string& out);
  // The check line: what stands before it can be relied on whatever becomes of the rest. One closes every frame.
  void check(std::string& out);

  // Up to where each stream of a job's output is recorded; every frame's header says it as it begins.
  void set_output_ends(const OutputEnds& ends) { output_ends_ = ends; }

 private:
  void write_line(const Event& event, Instant at, std::string& out);
  void remember(const Event& event, std::int64_t milliseconds);

  SamplesEncoder samples_;
  // The lines a reader must know who begins here: (what it replaces, line).
  std::vector<std::pair<std::string, std::string>> context_;
  OutputEnds output_ends_{};
  std::int64_t last_milliseconds_ = 0;
  Instant checked_at_;
  std::size_t unchecked_bytes_ = 0;
  std::uint32_t crc_ = 0;
};

}  // namespace gputop::store
