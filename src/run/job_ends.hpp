// The job's ends of its terminal or its pipes, for another job after it. Allocates nothing.
#pragma once

#include <termios.h>

#include <array>
#include <optional>
#include <span>

#include "run/fds.hpp"
#include "run/job_output.hpp"

namespace gputop::run {

class JobEnds {
 public:
  // The terminal's modes, as the first job finds them; `terminal` is its own end.
  void remember(int terminal);
  // Pipes stay open from now on, though the job ends.
  void keep_open(std::span<const JobOutput> streams);
  // Something of what it printed has not been read, or the user has not got it. A terminal says when nobody has it open
  // any more; a pipe that is kept open here does not.
  [[nodiscard]] static bool has_last_words(std::span<const JobOutput> streams, bool terminal);

  // For the next job, into `fds`: input and job_end. False: see errno.
  bool open(std::span<const JobOutput> streams, bool terminal, RunFds& fds);
  void close_terminal() { slave_.reset(); }  // the next job has it

 private:
  std::optional<termios> modes_;
  std::array<UniqueFd, 2> pipes_;
  UniqueFd slave_;
};

}  // namespace gputop::run
