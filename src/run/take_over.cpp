// Bringing back a run whose keeper and engine were both killed: the job itself holds spare descriptors.
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gputop/run/launch.hpp"
#include "gputop/run/process.hpp"
#include "run/errors.hpp"
#include "run/run_files.hpp"
#include "run/shared_map.hpp"
#include "run/spawn.hpp"

namespace gputop::run {
namespace {

Result<UniqueFd> fetch(int job, int number, const RunRecord& record) {
  UniqueFd fd{static_cast<int>(::syscall(SYS_pidfd_getfd, job, number, 0))};
  if (fd) return fd;
  const std::string run = "run " + record.id + " (pid " + std::to_string(record.job.pid) + ")";
  if (errno == EPERM) {
    return Error{
        Error::Kind::kPermission,
        run +
            ": the system does not let gputop reach into it (kernel.yama.ptrace_scope?); run attach as root, "
            "or set kernel.yama.ptrace_scope to 0 for a moment. The job itself goes on until its output blocks"};
  }
  if (errno == EBADF) return Error{Error::Kind::kLost, run + ": it closed the spare terminal gputop left with it"};
  return system_error(run + ": pidfd_getfd");
}

}  // namespace

Result<LaunchedRun> take_over(const ListedRun& run) {
  const RunRecord& record = run.record;
  if (run.state != RunState::kAdrift) {
    return Error{Error::Kind::kInvalid, "run " + record.id + ": it has its keeper already"};
  }
  const std::string lock_path = (run.directory / kLockName).string();
  const UniqueFd lock{::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)};
  if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    return errno == EWOULDBLOCK
               ? Error{Error::Kind::kUnavailable, "run " + record.id + ": another gputop is taking it over"}
               : system_error(lock_path);
  }
  if (record.mode != Mode::kPty) {
    return Error{Error::Kind::kNotSupported,
                 "run " + record.id + ": its output went to the shell that started it; there is nothing to take over"};
  }
  const UniqueFd job{open_pidfd(record.job.pid)};
  if (!job || !is_alive(record.job.pid, record.job.start_ticks)) {
    return Error{Error::Kind::kLost, "run " + record.id + ": it has ended"};
  }
  auto shared_fd = fetch(job.get(), record.spare_shared, record);
  if (!shared_fd) return shared_fd.error();
  auto master = fetch(job.get(), record.spare_master, record);
  if (!master) return master.error();
  auto shared = SharedMap::map(shared_fd->get());
  if (!shared) return shared.error();
  const auto keeper_now = (*shared)->keeper_pid.load();
  if (is_alive(keeper_now, start_ticks(keeper_now)) && keeper_now != record.keeper.pid) {
    return Error{Error::Kind::kUnavailable, "run " + record.id + ": it was taken over already"};
  }
  const UniqueFd wake{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  if (!wake) return system_error("keeper: eventfd");
  RunFds fds;
  fds.shared = shared_fd->get();
  fds.wake = wake.get();
  fds.input[0] = master->get();
  const KeeperCommand command{.mode = kAdoptMode, .name = record.name, .engine_arguments = record.engine_arguments};
  auto keeper = spawn_keeper(command, fds, own_environment(), capture_inherited());
  if (!keeper) return keeper.error();
  return LaunchedRun{.id = record.id, .directory = run.directory, .keeper = *keeper, .job = record.job.pid};
}

}  // namespace gputop::run
