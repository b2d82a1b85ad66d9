// The current phase of a process with a lens, read from a small file that it keeps mapped, so a blocked process can be
// read too.
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
  std::string place = {};  // of the main thread, once it has been in this phase for seconds
};
// nullopt: there is none; the process trains alone.
std::optional<PhaseNow> read_phase(const std::string& lens_folder, std::int64_t pid);

// What to publish at this time (CLOCK_MONOTONIC): from time to time, that it has been in one phase for seconds; once,
// that it continues.
class PhaseWatch {
 public:
  std::optional<LensPhase> look(const PhaseNow& now, double moment);

 private:
  double since_ = -1;
  double said_at_ = 0;
  bool stuck_ = false;
};

}  // namespace gputop
