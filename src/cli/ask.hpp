// A yes or no on the terminal.
#pragma once

#include <string>

namespace gputop::cli {

bool ask(const std::string& question);  // anything but y and yes is no
bool can_ask();

}  // namespace gputop::cli
