// Where simulated runs publish their state so that a simulated card can react: one small JSON file per run in a private
// directory, replaced atomically and removed at exit. Any reader removes a file whose process is gone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/sources/sim_physics.hpp"

namespace gputop {

struct SimRun {
  std::int64_t pid = 0;
  std::uint64_t start_ticks = 0;  // from /proc: tells a reused pid apart
  std::string card;               // SimCard::name
  unsigned epoch = 0;             // from 1; 0 before the first
  std::uint64_t step = 0;         // iterations of this epoch done
  SimTask task;

  bool operator==(const SimRun&) const = default;
};

// $GPUTOP_SIM_BUS, or $XDG_RUNTIME_DIR/gputop/sim, or /tmp/gputop-sim-UID. Does not create it.
std::string sim_bus_directory();

// Live runs, oldest first. A missing directory means no runs; one that others can write to is an error.
Result<std::vector<SimRun>> read_sim_bus(const std::string& directory);

// This process's entry on the bus. The destructor removes the file.
class SimBusEntry {
 public:
  // Creates the directory with mode 0700 if it is missing.
  static Result<std::unique_ptr<SimBusEntry>> open(const std::string& directory);
  SimBusEntry(const SimBusEntry&) = delete;
  SimBusEntry& operator=(const SimBusEntry&) = delete;
  ~SimBusEntry();

  // Readers see the old entry or the new one, never a partial one. Fills in pid and start_ticks.
  Status publish(SimRun run);

 private:
  explicit SimBusEntry(std::string directory);

  std::string path_;
  std::string next_path_;
  std::int64_t pid_;
  std::uint64_t start_ticks_;
};

// The file's content.
std::string to_json(const SimRun& run);
// The error says what is wrong; every number has been range-checked.
Result<SimRun> sim_run_from_json(std::string_view text);

}  // namespace gputop
