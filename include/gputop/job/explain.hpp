// Combines what each rank of a job reports: who arrives last at the exchange, what that costs everyone, what that rank
// was doing, who has stopped, and what remains when all are ready. Pure; linear in ranks and steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/reading.hpp"

namespace gputop::job {

// From the end of one exchange to the end of the next, in milliseconds. All ranks leave an exchange together, which
// gives them a common clock, so `exchange` says how much earlier than the last rank this one arrived.
struct Step {
  std::uint64_t number = 0;
  double own = 0;
  double input = 0;
  double exchange = 0;
  double cpu = 0;
  double items = 0;  // 0: unknown

  [[nodiscard]] double length() const { return own + input + exchange; }
};

enum class Phase : std::uint8_t { kUnknown, kInput, kCompute, kExchange };

// What one rank reports. Shares are 0…1, over about the last minute.
struct Rank {
  unsigned number = 0;
  std::string node;
  std::vector<Step> steps;  // lately, numbers rising

  Reading<double> io_pressure;       // of time: something in the run waits for a disk
  Reading<double> collecting_share;  // of time: Python's garbage collector
  Reading<double> starved_share;     // of time: runnable without a core
  Reading<double> thermal_share;
  Reading<double> power_cap_share;
  Reading<double> clock_share;  // of the highest clock
  Reading<double> link_share;   // of the PCIe link's highest rate
  bool gpu_neighbor = false;    // another user's process computes on its GPU
  Reading<double> gpu_busy;     // 0…1
  Reading<double> power_share;  // of its limit

  Phase phase = Phase::kUnknown;      // for `stuck_for` so far
  double stuck_for = 0;               // seconds; 0: it continues
  std::string site;                   // file:line, if known
  bool stopped = false;               // by a signal (SIGSTOP), or traced
  std::optional<std::string> ended;   // how, in words
  Reading<double> silent_for;         // seconds since its recording last grew
};

enum class Cause : std::uint8_t {
  kUnknown,
  kLoader,
  kLoaderDisk,
  kLoaderCpu,
  kCollector,
  kBatches,
  kHeat,
  kPowerCap,
  kLink,
  kClock,
  kGpuNeighbor,
  kHostNeighbor,
  kHost,     // waits in Python for something other than data or the others
  kCompute,  // computes longer for an unknown reason
};

std::string_view to_string(Cause cause);  // "loader", "disk", …: stable, for JSON

struct Straggler {
  unsigned rank = 0;
  std::string node;
  bool whole_node = false;  // the node's ranks take turns coming last; `rank` does so most often
  std::size_t others = 0;   // ranks that wait for it
  double held_ms = 0;       // per step, that the others would not wait without it
  double step_ms = 0;       // length of a step
  double last_share = 0;    // of the steps in which it came last
  std::size_t steps = 0;    // that this is based on
  Cause cause = Cause::kUnknown;
  double figure = 0;  // the cause's figure: see to_words
};

// No single rank always comes last, yet each step waits for one: their batches differ.
struct Imbalance {
  double held_ms = 0;
  double step_ms = 0;
  double spread = 0;  // largest ÷ mean of the items, per step
  std::size_t steps = 0;
};

struct Hung {
  unsigned rank = 0;
  std::string node;
  double seconds = 0;
  std::uint64_t step = 0;
  std::string doing;  // "has been stopped (SIGSTOP)", "has been waiting for its batch (train.py:42)"
  std::size_t waiting = 0;  // ranks in the exchange
  bool ended = false;       // `seconds` is how long the others have been waiting for it
};

struct Explained {
  std::size_t ranks = 0;  // that report anything
  std::size_t steps = 0;  // common to all of these
  std::optional<Straggler> straggler;
  std::optional<Imbalance> imbalance;
  std::optional<Hung> hung;
  Reading<double> communication_ms;     // per step, when all are ready
  Reading<double> communication_share;  // of the step
  bool communication_by_gpu = false;    // GPUs are busy at low power, and nothing waits for input
};

// Share of a step from which the exchange is the thing to work on. Same as the advisor's threshold `communication`.
inline constexpr double kMuchCommunication = 0.15;

Explained explain(const std::vector<Rank>& ranks);

// "its loader waits for the disk", "its batches are 45 % larger than the others'".
std::string to_words(Cause cause, double figure);
std::string to_words(const Straggler& straggler);
std::string to_words(const Imbalance& imbalance);
std::string to_words(const Hung& hung);
// Capitalized.
std::string as_sentence(std::string words);

}  // namespace gputop::job
