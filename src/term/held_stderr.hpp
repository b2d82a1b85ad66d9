// What others write to stderr while the screen is ours (a driver's library, glibc before it aborts) would land in the
// middle of it. It is held, and said when the screen is left.
#pragma once

namespace gputop::term::held_stderr {

// Once, outside of signal handlers. Does nothing where stderr is not the terminal.
void prepare(int terminal);
// Both may run in a signal handler.
void hold();
void release();

}  // namespace gputop::term::held_stderr
