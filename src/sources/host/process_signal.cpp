#include "gputop/sources/process_signal.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

#include "gputop/base/own_proc.hpp"
#include "sources/host/kernel_file.hpp"
#include "sources/host/proc_text.hpp"

namespace gputop {
namespace {

// /proc/stat has the boot time in whole seconds, and NTP may shift it by one.
constexpr std::chrono::seconds kSameStart{2};

Reading<WallTime> start_of(std::int64_t pid) {
  host::ReadBuffer buffer;
  const auto text = buffer.read("/proc/" + std::to_string(pid) + "/stat");
  const auto stat = text ? host::parse_process_stat(*text) : std::nullopt;
  if (!stat) return std::nullopt;
  const auto ticks = stat->start_ticks;
  const auto boot = buffer.read("/proc/stat");
  const auto line = boot ? boot->find("\nbtime ") : std::string_view::npos;
  if (line == std::string_view::npos) return std::nullopt;
  const auto seconds = std::strtoull(boot->data() + line + std::strlen("\nbtime "), nullptr, 10);
  const auto per_second = static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  return WallTime{std::chrono::milliseconds{seconds * 1000 + ticks * 1000 / per_second}};
}

Error failure(std::int64_t pid, int code) {
  const std::string who = "process " + std::to_string(pid);
  if (code == ESRCH) return {Error::Kind::kNotFound, who + " has ended"};
  if (code == EPERM) return {Error::Kind::kPermission, who + " belongs to another user"};
  return {Error::Kind::kIo, who + ": " + std::strerror(code)};
}

}  // namespace

Status signal_process(std::int64_t pid, WallTime started, int signal) {
  if (!proc_is_our_own())
    return Error{Error::Kind::kUnavailable, "no signal was sent: /proc is of another PID namespace, so process " +
                                                std::to_string(pid) + " may be any process here"};
  // The descriptor refers to exactly one process: open it first, then check that it is the right one.
  const Descriptor process{static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0))};
  const bool old_kernel = !process && errno == ENOSYS;  // before 5.3: use the PID instead
  if (!process && !old_kernel) return failure(pid, errno);
  const auto start = start_of(pid);
  if (!start) return failure(pid, ESRCH);
  if (std::chrono::abs(*start - started) > kSameStart) {
    return Error{Error::Kind::kNotFound, "process " + std::to_string(pid) + " has ended; its number is another's now"};
  }
  const auto sent = old_kernel ? ::kill(static_cast<pid_t>(pid), signal)
                               : ::syscall(SYS_pidfd_send_signal, process.get(), signal, nullptr, 0);
  if (sent != 0) return failure(pid, errno);
  return success();
}

}  // namespace gputop
