// Pages of the program and its libraries that only the startup needed.
#pragma once

namespace gputop::run {

// Drops code and constant pages from this process's memory. Pages still in use return when touched, shared by all
// processes; those that parsed arguments, settings and themes do not.
void give_back_startup_pages();

}  // namespace gputop::run
