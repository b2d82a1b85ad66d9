// What this user may do with a process.
#pragma once

#include <string>

#include "gputop/app/model.hpp"
#include "gputop/ui/identity.hpp"

namespace gputop::ui {

bool is_mine(const ProcessRow& row, const Identity& identity);

// Why it cannot be signalled; empty when it can.
std::string why_not_signal(const ProcessRow& row, const Identity& identity);

}  // namespace gputop::ui
