#include "gputop/sources/detached_thread.hpp"

#include <csignal>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>

namespace gputop {

bool start_detached(std::function<void()> work) {
  sigset_t others;
  sigset_t before;
  sigfillset(&others);
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) sigdelset(&others, own);
  pthread_sigmask(SIG_BLOCK, &others, &before);  // a thread inherits the mask of its creator
  bool started = true;
  try {
    std::thread{[work = std::move(work)] {
      try {
        work();
      } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): its readings end, the program continues
      }
    }}.detach();
  } catch (const std::system_error&) {
    started = false;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

}  // namespace gputop
