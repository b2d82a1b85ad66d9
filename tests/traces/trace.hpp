// A run whose truth is known.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gputop/advisor/advisor.hpp"
#include "gputop/sources/sim_physics.hpp"

namespace gputop::traces {

// What a simulated run is made of.
struct SimSetup {
  SimCard card;
  SimRunConfig run;
  double cooling = 1;
  double power_share = 1;                 // the limit in force, of the board's own
  std::optional<SimRunConfig> neighbour;  // another run on the same card
  double leak = 0;                        // bytes per second
};

struct Trace {
  std::string name;
  std::string kind;             // for the table
  std::set<std::string> truth;  // ids, any of which is right as the first finding; empty: nothing may be said
  Depth depth = Depth::kLens;
  std::uint64_t seed = 0;
  std::optional<SimSetup> setup;     // what it is played from
  std::function<void(Facts&)> edit;  // handmade: laid over the facts
};

// `count` traces from the simulator, from this seed on; the same seed gives the same trace.
std::vector<Trace> sampled(std::uint64_t first_seed, std::size_t count);
std::vector<Trace> handmade(std::uint64_t first_seed);

struct Played {
  Advice advice;
  Facts facts;
};
// What the advisor says at the end of the trace.
Played play(const Trace& trace);

// A real run in pytorch/: its label from runs.txt, what the advisor says at its end, and how the next one went with
// that change made.
struct Recorded {
  Trace trace;
  std::string end;  // how it ended: "finished", "gpu_oom", …
  Played played;
  std::optional<Played> changed;  // the run with the change made
};
// All of them. A recording that cannot be read, or a line that means nothing, is an error for people in `problems`.
std::vector<Recorded> recorded(std::vector<std::string>& problems);

// A change, applied in the simulator or in a real run.
struct Applied {
  std::string id;  // of the finding
  Speedup stated;
  double real = 0;  // 0: it ran out of memory
  [[nodiscard]] bool harmful() const { return real < 0.97; }
  [[nodiscard]] bool inside() const { return real >= stated.low - 0.015 && real <= stated.high + 0.015; }
};

struct Verdict {
  bool right = false;
  bool false_alarm = false;  // on a run with nothing to say about
  std::string first;         // id of the first finding, "" when there is none
  std::vector<Applied> applied;
};
Verdict judge(const Trace& trace, const Played& played);
// With the real speed-up of its first change, where a run has it.
Verdict judge(const Recorded& recorded);

// Of many traces.
struct Score {
  std::size_t count = 0;
  std::size_t right = 0;
  std::size_t healthy = 0;
  std::size_t false_alarms = 0;
  std::size_t changes = 0;
  std::size_t harmful = 0;
  std::size_t inside = 0;
  std::vector<std::string> misses;  // for people

  void add(const Trace& trace, const Verdict& verdict);
};

}  // namespace gputop::traces
