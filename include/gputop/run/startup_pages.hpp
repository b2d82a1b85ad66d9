// Pages of the program and its libraries that only its start needed.
#pragma once

namespace gputop::run {

// Takes the pages of code and constants out of this process' memory. Those it goes on with come back by
// themselves as they are touched, from where all processes share them; what parsed words, settings and themes does not.
void give_back_startup_pages();

}  // namespace gputop::run
