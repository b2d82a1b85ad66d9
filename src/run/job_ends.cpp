#include "run/job_ends.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cstdio>

namespace gputop::run {

void JobEnds::remember(int input) {
  termios modes{};
  if (::tcgetattr(input, &modes) == 0) modes_ = modes;
  input_from_ = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
}

void JobEnds::give_input() const {
  if (!input_) return;
  if (input_from_ >= 0) ::lseek(input_.get(), input_from_, SEEK_SET);
  ::dup2(input_.get(), STDIN_FILENO);
}

void JobEnds::keep_open(std::span<const JobOutput> streams) {
  for (std::size_t i = 0; i < pipes_.size(); ++i) {
    if (pipes_[i] || streams[i].input() < 0) continue;
    std::array<char, 32> path{};
    std::snprintf(path.data(), path.size(), "/proc/self/fd/%d", streams[i].input());
    pipes_[i].reset(::open(path.data(), O_WRONLY | O_CLOEXEC));  // for a pipe, this opens its other end
  }
}

bool JobEnds::has_last_words(std::span<const JobOutput> streams, bool terminal) {
  if (terminal) return !streams[0].is_absent();
  return std::any_of(streams.begin(), streams.end(), [](const JobOutput& stream) {
    int bytes = 0;
    return stream.wants_copy() || (stream.input() >= 0 && ::ioctl(stream.input(), FIONREAD, &bytes) == 0 && bytes > 0);
  });
}

bool JobEnds::open(std::span<const JobOutput> streams, JobTerminal* terminal, RunFds& fds) {
  fds.user_input = input_.get();
  if (terminal == nullptr) {
    const bool one = is_same_file(STDOUT_FILENO, STDERR_FILENO);
    fds.job_end = {pipes_[0].get(), pipes_[one ? 0 : 1].get()};
    return true;
  }
  fds.input[0] = streams[0].input();
  slave_.reset(::ioctl(fds.input[0], TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));  // the last job took its own with it
  if (!slave_) return false;
  terminal->forget_typed();
  ::tcflush(slave_.get(), TCIFLUSH);
  if (modes_) ::tcsetattr(slave_.get(), TCSANOW, &*modes_);  // a killed job may have left any modes
  fds.job_end[0] = slave_.get();
  return true;
}

}  // namespace gputop::run
