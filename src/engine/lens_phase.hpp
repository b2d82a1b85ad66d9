// What a process with a lens is at, read from the small file it keeps mapped: it need not run to be asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gputop/core/lens.hpp"

namespace gputop {

struct PhaseNow {
  std::uint64_t step = 0;
  double since = 0;  // seconds of CLOCK_MONOTONIC
  unsigned phase = 0;
};
// nullopt: there is none, it trains alone.
std::optional<PhaseNow> read_phase(const std::string& lens_folder, std::int64_t pid);

// What is to be said of it at this moment (CLOCK_MONOTONIC): that it has been at the same for seconds, now and then; once,
// that it goes on.
class PhaseWatch {
 public:
  std::optional<LensPhase> look(const PhaseNow& now, double moment);

 private:
  double since_ = -1;
  double said_at_ = 0;
  bool stuck_ = false;
};

}  // namespace gputop
