// Whether a line's count is at its end.
#pragma once

#include "gputop/logs/progress.hpp"

namespace gputop::logs {

inline bool finished(const Progress& progress) {
  return progress.step && progress.total && *progress.step >= *progress.total;
}

}  // namespace gputop::logs
