// Where simulated runs say what they do, so that a simulated card can react: one small JSON file per run in a private
// directory, replaced as a whole, removed at exit. A file whose process is gone is removed by whoever reads it.
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
  std::uint64_t start_ticks = 0;  // from /proc: a reused pid is another process
  std::string card;               // SimCard::name
  unsigned epoch = 0;             // from 1; 0 before the first
  std::uint64_t step = 0;         // iterations of this epoch done
  SimTask task;

  bool operator==(const SimRun&) const = default;
};

// $GPUTOP_SIM_BUS, else $XDG_RUNTIME_DIR/gputop/sim, else /tmp/gputop-sim-UID. Not created.
std::string sim_bus_directory();

// Live runs, oldest first. A missing directory is no runs; one that others may write to is an error.
Result<std::vector<SimRun>> read_sim_bus(const std::string& directory);

// This process's entry on the bus. The file goes when the object does.
class SimBusEntry {
 public:
  // Creates the directory, mode 0700, where it is missing.
  static Result<std::unique_ptr<SimBusEntry>> open(const std::string& directory);
  SimBusEntry(const SimBusEntry&) = delete;
  SimBusEntry& operator=(const SimBusEntry&) = delete;
  ~SimBusEntry();

  // Readers see the old entry or the new one, never half of it. pid and start_ticks are filled in here.
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
// The error says what is wrong; every number has been checked.
Result<SimRun> sim_run_from_json(std::string_view text);

}  // namespace gputop
