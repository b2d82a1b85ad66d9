// What ps shows for this process.
#pragma once

namespace gputop::run {

// Turns argv's memory into the title's: nothing may point there any more. Call before the functions below.
void lend_process_title(int argc, char** argv);
// "ROLE NAME", cut to the available space; never allocates.
void set_process_title(const char* role, const char* name);

}  // namespace gputop::run
