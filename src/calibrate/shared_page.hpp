// What the helper is doing, in memory that gputop can also see: calls need no message, and the state survives a crash.
#pragma once

#include <atomic>
#include <cstdint>

#include "calibrate/abi.hpp"

namespace gputop::cuda {

struct SharedPage {
  std::atomic<int> call{0};
  std::atomic<std::uint64_t> progress{0};  // counts calls; it stops if a call hangs
};

inline constexpr const char* kHelperMode = "__calibrate";
// Lines from the helper: a letter, a blank, the text.
inline constexpr char kStage = 's';    // what it measures now, for the user
inline constexpr char kValue = 'v';    // KEY NUMBER
inline constexpr char kNote = 'n';     // what could not be measured and why
inline constexpr char kFailure = 'f';  // CODE why nothing can be measured
inline constexpr char kMemory = 'm';   // KEY: read the GPU's memory now, and answer with any byte
inline constexpr char kRuntime = 'r';  // the runtime's version
inline constexpr char kEnd = 'e';      // all done

}  // namespace gputop::cuda
