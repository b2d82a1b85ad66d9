// System calls that an old kernel or glibc lacks (RHEL 7: kernel 3.10, glibc 2.17; RHEL 8: 4.18), with fallbacks. They
// go through syscall(2), so the binary does not need a newer glibc. pidfd_open (5.3) is in run/process.hpp: without it,
// processes are polled.
#pragma once

#include <cstddef>
#include <span>

namespace gputop {

// close_range(2), Linux 5.9; on older kernels, closes the descriptors listed in /proc one by one. Async-signal-safe.
void close_descriptors(unsigned first, unsigned last);

// Memory with a descriptor: memfd_create(2), Linux 3.17; on older kernels, an unlinked file in /dev/shm or /tmp.
// Close-on-exec. `sealable`: whether F_ADD_SEALS works too. -1 with errno.
int open_memory(const char* name, bool& sealable);

// getrandom(2), Linux 3.17; on older kernels, /dev/urandom. False: neither is available.
bool fill_random(std::span<unsigned char> bytes);

}  // namespace gputop
