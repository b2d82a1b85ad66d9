// System calls that an old kernel or glibc lacks (RHEL 7: kernel 3.10, glibc 2.17; RHEL 8: 4.18), with what does the same there.
// Through syscall(2), so that a binary needs no glibc that knows them. pidfd_open (5.3) is in process.hpp: without it, whoever
// watches a process looks at it now and then.
#pragma once

#include <cstddef>
#include <span>

namespace gputop::run {

// close_range(2), Linux 5.9; before, the descriptors that /proc lists are closed one by one. Async-signal-safe.
void close_descriptors(unsigned first, unsigned last);

// Memory that descriptors can be passed of: memfd_create(2), Linux 3.17; before, a file in /dev/shm or /tmp that has no name
// any more. Close-on-exec. `sealable`: whether F_ADD_SEALS is there, too. -1 with errno.
int open_memory(const char* name, bool& sealable);

// getrandom(2), Linux 3.17; before, /dev/urandom. False: there is neither.
bool fill_random(std::span<unsigned char> bytes);

}  // namespace gputop::run
