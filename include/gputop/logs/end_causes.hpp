// Why the run ended: what it said, how it exited, what the kernel counted, what the GPUs reported, put together into
// EndFacts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/event.hpp"
#include "gputop/core/run_end.hpp"
#include "gputop/core/time.hpp"
#include "gputop/logs/fault.hpp"
#include "gputop/logs/traceback.hpp"

namespace gputop {

class EndCauses {
 public:
  // A line of output. True when it is part of a traceback and so says nothing about progress.
  bool line(Instant at, unsigned stream, std::string_view text);
  // The next line may belong to a fault that has begun.
  [[nodiscard]] bool expects_more() const;
  // Training went on by a step. Gives what it has survived since the last time, for people: "" when nothing.
  std::string went_on();
  void host(Instant at, const HostReading& host);
  void gpu(Instant at, const GpuHappened& happened);
  void ended(Instant at, const RunEnded& ended);

  // kRunning until ended(); then it may still change when the kernel's counters come in a little later.
  [[nodiscard]] const EndFacts& facts() const { return facts_; }

 private:
  struct Speaker {  // a rank on a stream
    unsigned stream = 0;
    Reading<unsigned> rank;
    logs::TracebackReader traceback;
  };
  // A counter of the kernel's, since the run began.
  struct Kills {
    Reading<std::uint64_t> first;
    std::uint64_t last = 0;
    Reading<Instant> grew;  // when it was seen to
    void count(Instant at, const Reading<std::uint64_t>& value);
  };
  Speaker& speaker_of(unsigned stream, Reading<unsigned> rank);
  void add(logs::Fault fault, bool chained);
  void note(std::string_view line, bool error);
  void conclude();
  [[nodiscard]] const logs::Fault* root() const;
  [[nodiscard]] bool killed_for_memory() const;
  [[nodiscard]] std::string kill_evidence() const;
  [[nodiscard]] std::string whether_for_memory() const;
  void by_signal(int signal);
  void by_fault(const logs::Fault& fault);
  [[nodiscard]] bool is_hardware_fault() const;

  std::vector<Speaker> speakers_;
  std::vector<logs::Fault> faults_;  // since training last went on
  int steps_since_ = 0;              // the last fault
  int oom_lines_ = 0;                // that may still follow the last out-of-memory message
  std::string last_line_;
  int error_lines_ = 0;  // for which the last error stays the last words
  Kills cgroup_kills_;
  Kills machine_kills_;
  bool counters_known_ = false;
  Reading<double> shm_share_;
  Reading<Instant> xid_at_;
  std::uint64_t xid_ = 0;
  std::string xid_text_;
  Reading<RunEnded> end_;
  Instant ended_;
  EndFacts facts_;
};

}  // namespace gputop
