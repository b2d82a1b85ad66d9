// Remembers the results of the run's jobs, and tells each new one the results of earlier runs.
#pragma once

#include "engine/run_ledger.hpp"
#include "gputop/stream/engine.hpp"

namespace gputop {

class RunMemory {
 public:
  RunMemory(Loop& loop, Engine& engine);

  void heard(const Event& event, const Model& model);

 private:
  void tell(const Model& model);
  void remember(const Model& model);

  Loop& loop_;
  Engine& engine_;
  std::optional<RunLedger> ledger_;  // nullopt: there is no place for it
  bool told_ = true;                 // since the job was started
};

}  // namespace gputop
