#include "run/self_exec.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "gputop/run/launch.hpp"

namespace gputop::run {
namespace {

constexpr std::size_t kMostArguments = 256;

}  // namespace

void exec_self(const SelfExec& wanted) {
  restore_inherited(wanted.birth.inherited);
  if (const auto& score = wanted.birth.oom_score; score[0] != '\0') {
    const Descriptor file{::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)};
    [[maybe_unused]] const auto put = ::write(file.get(), score.data(), std::strlen(score.data()));
  }
  if (wanted.deaf) {
    ::dup2(0, 1);  // /dev/null: none of our output may reach the user's stdout
    // Signals to the whole group are for the job; EFBIG reports a recording that may not grow.
    for (const int signal : {SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGUSR1, SIGUSR2, SIGXFSZ}) {
      struct sigaction ignore {};
      ignore.sa_handler = SIG_IGN;
      ::sigaction(signal, &ignore, nullptr);
    }
  }
  keep_through_exec(wanted.fds, true);
  FdText table = format_fds(wanted.fds);
  std::array<char, 64> title{};
  std::snprintf(title.data(), title.size(), "%s", wanted.title);
  std::array<char, 32> mode{};
  std::snprintf(mode.data(), mode.size(), "%s", wanted.mode);
  std::array<char*, kMostArguments + 4> argv{title.data(), mode.data(), table.data()};
  std::copy_n(wanted.arguments.begin(), std::min(wanted.arguments.size(), kMostArguments), argv.begin() + 3);
  ::execve(self_path(), argv.data(), environ);
  ::_exit(126);
}

}  // namespace gputop::run
