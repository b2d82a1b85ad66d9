// Who is looking: decides what is offered and what is dimmed.
#pragma once

#include <cstdint>

namespace gputop::ui {

struct Identity {
  std::uint64_t uid = 0;
  bool root = false;
  bool readonly = false;  // --readonly: nothing that changes anything is offered
};

}  // namespace gputop::ui
