// Encodes events as the JSON lines of a recording. Deterministic: the same events give the same lines, and so do the
// events decoded from those lines.
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
// Maximum length of a line; a reader gives up on a longer one.
inline constexpr std::size_t kMaxLine = std::size_t{16} << 20U;
// A check line comes at least this often, so damage costs little.
inline constexpr Duration kCheckEvery = kEveryTenthTick;
inline constexpr std::size_t kCheckBytes = std::size_t{64} << 10U;

class LineEncoder {
 public:
  // The header line. A reader can start here without anything before it.
  void begin_frame(std::uint64_t frame, Instant at, std::string& out);
  void append(const Event& event, std::string& out);
  // The check line: everything before it stays reliable whatever happens to the rest. Every frame ends with one.
  void check(std::string& out);

  // How far each stream of a job's output is recorded; every frame's header states the value at its start.
  void set_output_ends(const OutputEnds& ends) { output_ends_ = ends; }

 private:
  void write_line(const Event& event, Instant at, std::string& out);
  void remember(const Event& event, std::int64_t milliseconds);

  SamplesEncoder samples_;
  // The lines that a reader starting here must know: (what it replaces, line).
  std::vector<std::pair<std::string, std::string>> context_;
  OutputEnds output_ends_{};
  std::int64_t last_milliseconds_ = 0;
  Instant checked_at_;
  std::size_t unchecked_bytes_ = 0;
  std::uint32_t crc_ = 0;
};

}  // namespace gputop::store
