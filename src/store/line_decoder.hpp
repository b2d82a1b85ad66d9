// The JSON lines of a recording as events.
#pragma once

#include <string>
#include <string_view>

#include "gputop/core/event.hpp"
#include "store/samples.hpp"
#include "store/spoken_lines.hpp"

namespace gputop::store {

class LineDecoder {
 public:
  enum class Outcome { kEvent, kLeftOut, kUnknownKind, kNotUnderstood };

  // A frame begins at this time: samples must start over before any is given again.
  // `skim`: readings of the host and of processes and most of what a run speaks are left out of it, and what a summary
  // does not need of the GPUs' stays unknown.
  void begin_frame(Instant at, bool skim = false);

  void leave_out_all_but_gpus() { only_gpus_ = true; }
  void set_output_spacing(Duration spacing) { thinner_.set_output_spacing(spacing); }

  // A line that is neither header nor check. After kEvent, event() holds it.
  Outcome decode(std::string_view line);
  // Valid until the next call. Samples are changed in place from line to line, so nothing is copied.
  [[nodiscard]] const Event& event() const { return *event_; }
  // After kUnknownKind.
  [[nodiscard]] const std::string& unknown_kind() const { return unknown_kind_; }

 private:
  template <class Sample>
  Outcome decode_sample(Scanner& in, Event& event);
  Outcome decode_spoken(Scanner& in, std::string_view line, std::string_view kind);
  Outcome decode_rare(std::string_view line, std::string_view kind);
  Outcome give(Event event);

  SamplesDecoder samples_;
  SpokenThinner thinner_;
  Instant at_;
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
