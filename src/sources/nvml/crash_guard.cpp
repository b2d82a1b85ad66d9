// See nvml_guard.hpp. Process-wide state, because signal handlers and exit() are process-wide. Threads are identified
// by their kernel thread id: the library may have overwritten thread-local variables.
#include "sources/nvml/crash_guard.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>

namespace gputop {
namespace {

constexpr std::size_t kMostGuarded = 128;  // further threads are not guarded
constexpr std::size_t kStackBytes = 64 * 1024;
constexpr std::array kCrashSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

struct Guarded {
  std::atomic<pid_t> thread{0};
  std::atomic<const char*> function{""};  // here, because a Watch is on the heap, where a stray write may hit it
};

struct GuardState {
  std::atomic<OnNvmlDeath> action{nullptr};
  std::atomic<bool> any_crash{false};
  std::atomic<bool> loaded{false};
  std::atomic<bool> dying{false};
  std::atomic<bool> acted{false};
  std::atomic<const char*> function{""};  // the function that crashed
  std::atomic<int> signal{0};
  std::array<Guarded, kMostGuarded> threads;
};
GuardState crash_guard;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

pid_t this_thread() {
  return static_cast<pid_t>(::syscall(SYS_gettid));
}

const Guarded* guarded_here() {
  const pid_t here = this_thread();
  for (const auto& thread : crash_guard.threads) {
    if (thread.thread.load(std::memory_order_relaxed) == here) return &thread;
  }
  return nullptr;
}

// The kernel checks this thread's restartable sequence before it calls a handler and kills the process if it is
// invalid. It lives at the end of the stack, which a stack smash overwrites. None of our code uses it.
void drop_restartable_sequence() {
#ifdef RSEQ_SIG
  const auto* const offset = static_cast<const std::ptrdiff_t*>(::dlsym(RTLD_DEFAULT, "__rseq_offset"));
  if (offset == nullptr) return;
  constexpr unsigned kBytes = 32;  // the registered size
  ::syscall(SYS_rseq, static_cast<char*>(__builtin_thread_pointer()) + *offset, kBytes, RSEQ_FLAG_UNREGISTER, RSEQ_SIG);
#endif
}

bool is_main_thread() {
  return this_thread() == ::getpid();
}

void send_to_thread(pid_t thread, int signal) {
  ::syscall(SYS_tgkill, ::getpid(), thread, signal);
}

void wait_for_another_thread() {
  const timespec patience{2, 0};
  ::syscall(SYS_nanosleep, &patience, nullptr);
}

// Remembers the first thread to die; if its last action fails, nothing is tried again.
bool note_death(int signal) {
  const Guarded* const here = guarded_here();
  const bool counts = here != nullptr || (signal != 0 && crash_guard.any_crash && crash_guard.loaded);
  if (!counts || crash_guard.dying.exchange(true)) return false;
  crash_guard.function = here != nullptr ? here->function.load() : "";
  crash_guard.signal = signal;
  return true;
}

// The last action runs once. It ends in another program; if it fails, the process dies of the original cause.
void act() {
  const auto action = crash_guard.action.load();
  if (action == nullptr) return;
  if (crash_guard.acted.exchange(true)) {
    wait_for_another_thread();  // another thread is running it: dying now would interrupt it
  } else {
    action({crash_guard.function, crash_guard.signal});
  }
}

// The stack of an NVML thread may be corrupt, and with it everything that libc keeps there, so the main thread acts for
// it if it responds. Several threads may crash at once, each for its own GPU.
void on_crash(int signal, siginfo_t* info, void* /*context*/) {
  const bool sent_by_another = info->si_code <= 0 && info->si_pid != ::getpid();  // a kill, not a crash
  if (!sent_by_another) {
    const bool first = note_death(signal);
    if (first && !is_main_thread()) send_to_thread(::getpid(), signal);
    if (crash_guard.dying && !is_main_thread()) wait_for_another_thread();
  }
  if (crash_guard.dying) act();
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  ::sigaction(signal, &standard, nullptr);
  send_to_thread(this_thread(), signal);
}

// exit() on an NVML thread: none of our code calls it there.
void on_exit_called() {
  if (guarded_here() == nullptr) return;
  if (note_death(0) || crash_guard.dying) act();
  ::syscall(SYS_exit_group, 70);  // ignore the library's exit code, which may claim success
}

}  // namespace

void guard_nvml(OnNvmlDeath action, bool any_crash) {
  crash_guard.any_crash = any_crash;
  if (crash_guard.action.exchange(action) != nullptr) return;
  std::atexit(on_exit_called);
  std::at_quick_exit(on_exit_called);
  for (const int signal : kCrashSignals) {
    struct sigaction now {};
    const bool known = ::sigaction(signal, nullptr, &now) == 0;
    if (!known || (now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL) continue;  // installed by a sanitizer
    struct sigaction ours {};
    ours.sa_sigaction = on_crash;
    ours.sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO;
    sigemptyset(&ours.sa_mask);
    ::sigaction(signal, &ours, nullptr);
  }
}

const char* death_in_words(int signal) {
  switch (signal) {
    case 0: return "exit()";
    case SIGSEGV: return "SIGSEGV";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE";
    case SIGILL: return "SIGILL";
    case SIGABRT: return "SIGABRT";
    case SIGTRAP: return "SIGTRAP";
    case SIGSYS: return "SIGSYS";
    case SIGKILL: return "SIGKILL";
    case kStandstill: return "a standstill";
    default: return "a signal";
  }
}

namespace nvml {

void die_of_standstill() {
  if (!crash_guard.dying.exchange(true)) crash_guard.signal = kStandstill;
  act();
  for (;;) ::syscall(SYS_exit_group, 70);
}

GuardedThread::GuardedThread(Watch& watch) : watch_(watch), slot_(kMostGuarded) {
  crash_guard.loaded = true;
  look_after_main_thread();
  for (std::size_t i = 0; i < kMostGuarded && slot_ == kMostGuarded; ++i) {
    pid_t nobody = 0;
    if (crash_guard.threads[i].thread.compare_exchange_strong(nobody, this_thread())) slot_ = i;
  }
  if (slot_ == kMostGuarded) return;
  crash_guard.threads[slot_].function = watch.function();
  watch.note_at(&crash_guard.threads[slot_].function);
  drop_restartable_sequence();
  void* const memory = ::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_ = memory;
  stack_t stack{};
  stack.ss_sp = memory;
  stack.ss_size = kStackBytes;
  ::sigaltstack(&stack, nullptr);
}

GuardedThread::~GuardedThread() {
  if (slot_ == kMostGuarded) return;
  watch_.note_at(nullptr);
  crash_guard.threads[slot_].thread = 0;
  if (stack_ == nullptr) return;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  ::sigaltstack(&none, nullptr);
  ::munmap(stack_, kStackBytes);
}

}  // namespace nvml
}  // namespace gputop

// Catches a library that exits without running exit()'s handlers: the program's own definition takes precedence over
// libc's.
extern "C" __attribute__((noreturn)) void _exit(int status) {
  gputop::on_exit_called();
  for (;;) ::syscall(SYS_exit_group, status);
}
extern "C" __attribute__((noreturn)) void _Exit(int status) {
  _exit(status);
}
