// What ps shows of this process.
#pragma once

namespace gputop::run {

// The room that argv has in memory becomes the title's: nothing may point there any more. Before any call below.
void lend_process_title(int argc, char** argv);
// "ROLE NAME". Cut to the room there is; allocates nothing.
void set_process_title(const char* role, const char* name);

}  // namespace gputop::run
