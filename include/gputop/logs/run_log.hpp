// All that a job's output says: bytes in, progress and the reason of its end out. Pure; copies like a value.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/event.hpp"
#include "gputop/logs/columns.hpp"
#include "gputop/logs/end_causes.hpp"
#include "gputop/logs/line_splitter.hpp"
#include "gputop/logs/metric.hpp"
#include "gputop/logs/progress_tracker.hpp"
#include "gputop/logs/reader_switches.hpp"
#include "gputop/logs/recurrence.hpp"
#include "gputop/logs/tree_section.hpp"

namespace gputop {

class RunLog {
 public:
  void set_clock(CpuClock clock) { readers_.set_clock(clock); }
  // Gives what is worth a line in the event log: an out-of-memory that the run survived, a reader that had to be
  // switched off; "" when nothing.
  std::string output(Instant at, const OutputWritten& output);
  void host(Instant at, const HostReading& host) { causes_.host(at, host); }
  void gpu(Instant at, const GpuHappened& happened) { causes_.gpu(at, happened); }
  void ended(Instant at, const RunEnded& ended);

  [[nodiscard]] const RunProgress& progress() const { return tracker_.now(); }
  [[nodiscard]] const EndFacts& end() const { return causes_.facts(); }
  // Accuracy, F1, the loss on held-out data, …: what the run printed of them.
  [[nodiscard]] const std::vector<MetricTrack>& metrics() const { return metrics_.all(); }
  // When the output last said that the run's state was saved.
  [[nodiscard]] Reading<Instant> checkpoint() const { return checkpoint_; }

 private:
  struct Stream {
    LineSplitter splitter;
    std::uint64_t expected = 0;  // the offset of the next byte
    ColumnReader columns;
    Recurrence recurrence;
    TreeSection section;
  };
  std::string_view feed_suspects(Instant at,
                                 std::string_view bytes,
                                 LineSplitter& splitter,
                                 const LineSplitter::Sink& sink);
  void read(Instant at, Stream& stream, const OutputWritten& output);
  void line(Instant at, unsigned stream, std::string_view text);
  void read_progress_of(Instant at, unsigned stream, std::string_view text);
  void take_metrics(Instant at, const std::vector<Metric>& metrics);

  std::array<Stream, 2> streams_;
  ProgressTracker tracker_;
  EndCauses causes_;
  MetricLog metrics_;
  Reading<Instant> checkpoint_;
  bool announced_ = false;  // by the last line without progress: work that is no training
  std::string news_;
  ReaderSwitches readers_;
  double budget_ = 4096;  // lines whose progress may still be read
  Instant budget_at_;
};

}  // namespace gputop
