// The whole of a job, from what each of its ranks says: who arrives last at the exchange, what that costs everyone, what
// that rank was doing, who has stopped, and what is left when all are ready. Pure; linear in ranks and steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/reading.hpp"

namespace gputop::job {

// From the end of one exchange to the end of the next, in milliseconds. All ranks come out of an exchange together: that
// is the clock they share, so `exchange` says by how much this one was there before the last.
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

// What one rank says. Shares are 0…1, over the last minute or so.
struct Rank {
  unsigned number = 0;
  std::string node;
  std::vector<Step> steps;  // lately, numbers rising

  Reading<double> io_pressure;       // of time: something of the run waits for a disk
  Reading<double> collecting_share;  // of time: Python's garbage collector
  Reading<double> starved_share;     // of time: ready to run, without a core
  Reading<double> thermal_share;
  Reading<double> power_cap_share;
  Reading<double> clock_share;  // of the highest clock
  Reading<double> link_share;   // of the PCIe link's highest rate
  bool gpu_neighbor = false;    // somebody else's process computes on its GPU
  Reading<double> gpu_busy;     // 0…1
  Reading<double> power_share;  // of its limit

  Phase phase = Phase::kUnknown;      // it has been at that for `stuck_for`
  double stuck_for = 0;               // seconds; 0: it goes on
  std::string site;                   // file:line, where known
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
  kHost,     // waits in Python for something that is neither data nor the others
  kCompute,  // computes longer, nobody knows why
};

std::string_view to_string(Cause cause);  // "loader", "disk", …: stable, for JSON

struct Straggler {
  unsigned rank = 0;
  std::string node;
  bool whole_node = false;  // all of the node's ranks come last in turn; `rank` does so most often
  std::size_t others = 0;   // ranks that wait for it
  double held_ms = 0;       // of each step, that they would not wait without it
  double step_ms = 0;       // length of a step
  double last_share = 0;    // of the steps, in which it came last
  std::size_t steps = 0;    // that this was seen over
  Cause cause = Cause::kUnknown;
  double figure = 0;        // what the cause rests on: see to_words
};

// No rank is the last one all the time, and yet each step waits for one: their batches differ.
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
  std::string doing;  // "is stopped (SIGSTOP)", "has been waiting for its batch (train.py:42)"
  std::size_t waiting = 0;  // ranks in the exchange
};

struct Explained {
  std::size_t ranks = 0;  // that say something
  std::size_t steps = 0;  // common to all of these
  std::optional<Straggler> straggler;
  std::optional<Imbalance> imbalance;
  std::optional<Hung> hung;
  Reading<double> communication_ms;     // of each step, when all are ready
  Reading<double> communication_share;  // of the step
  bool communication_by_gpu = false;    // GPUs are busy at low power, and no input is waited for
};

// Of a step: from here on the exchange is what to work on. As the threshold `communication` of the advisor.
inline constexpr double kMuchCommunication = 0.15;

Explained explain(const std::vector<Rank>& ranks);

// "its loader waits for the disk", "its batches are 45 % larger than the others'".
std::string to_words(Cause cause, double figure);
std::string to_words(const Straggler& straggler);
std::string to_words(const Imbalance& imbalance);
std::string to_words(const Hung& hung);
// With a capital letter in front.
std::string as_sentence(std::string words);

}  // namespace gputop::job
