// Whether /proc speaks of processes by the numbers that this process uses. It does not where it was mounted for another
// PID namespace (`unshare -pf` without --mount-proc, some containers), and then every /proc/PID is somebody else.
#pragma once

namespace gputop {

// False also without /proc. Asked of the kernel once; a forked child inherits the answer. Allocates nothing.
bool proc_is_our_own();

}  // namespace gputop
