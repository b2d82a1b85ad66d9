// Decodes the JSON lines of a recording into events.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "gputop/core/event.hpp"
#include "store/samples.hpp"
#include "store/run_lines.hpp"

namespace gputop::store {

class LineDecoder {
 public:
  enum class Outcome { kEvent, kLeftOut, kUnknownKind, kNotUnderstood, kTooMuch };

  // How many sample rows a file of this size may produce. Lines without changes compress to almost nothing, yet each
  // one yields all rows: a kilobyte could keep a reader busy for hours. Our own files stay far below this limit.
  void set_budget(std::uint64_t file_bytes) { budget_ = kLeastBudget + kRowsPerByte * file_bytes; }

  // A frame begins at this time: samples must start over before any is returned again. `skim`: skips readings of the
  // host and of processes and most run output, and leaves GPU details that a summary does not need unknown.
  void begin_frame(Instant at, bool skim = false);

  void leave_out_all_but_gpus() { only_gpus_ = true; }
  void set_output_spacing(Duration spacing) { thinner_.set_output_spacing(spacing); }

  // Takes a line that is neither header nor check. After kEvent, event() has the event; after kTooMuch, stop reading.
  Outcome decode(std::string_view line);
  // Valid until the next call. Samples are updated in place from line to line, so nothing is copied.
  [[nodiscard]] const Event& event() const { return *event_; }
  // Valid after kUnknownKind.
  [[nodiscard]] const std::string& unknown_kind() const { return unknown_kind_; }

 private:
  static constexpr std::uint64_t kLeastBudget = 2'000'000;
  static constexpr std::uint64_t kRowsPerByte = 1024;
  static constexpr std::uint64_t kLineCost = 128;  // cost of any line, in rows

  Outcome decode_within_budget(std::string_view line);
  template <class Sample>
  Outcome decode_sample(Scanner& in, Event& event);
  Outcome decode_spoken(Scanner& in, std::string_view line, std::string_view kind);
  Outcome decode_rare(std::string_view line, std::string_view kind);
  Outcome give(Event event);

  SamplesDecoder samples_;
  SpokenThinner thinner_;
  Instant at_;
  std::uint64_t budget_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t rows_ = 0;  // produced, or requested, by this line
  bool skim_ = false;
  bool only_gpus_ = false;
  Event gpus_{{}, GpusSampled{}};
  Event host_{{}, HostSampled{}};
  Event processes_{{}, ProcessesSampled{}};
  Event rare_;
  const Event* event_ = nullptr;
  std::string unknown_kind_;
};

}  // namespace gputop::store
