// The job's ends of its terminal or its pipes, for another job after it. Allocates nothing.
#pragma once

#include <sys/types.h>
#include <termios.h>

#include <array>
#include <optional>
#include <span>

#include "run/fds.hpp"
#include "run/job_output.hpp"
#include "run/job_terminal.hpp"

namespace gputop::run {

class JobEnds {
 public:
  // What the first job is about to read from: a terminal with its modes, and where the user's stdin stands, if that is
  // a file.
  void remember(int input);
  // The user's own stdin, if the next job is to have it again; closed with this.
  void keep_input(int stdin_of_user) { input_.reset(stdin_of_user); }
  // Pipes stay open from now on, though the job ends.
  void keep_open(std::span<const JobOutput> streams);
  // Something of what it printed has not been read, or the user has not got it. A terminal says when nobody has it open
  // any more; a pipe that is kept open here does not.
  [[nodiscard]] static bool has_last_words(std::span<const JobOutput> streams, bool terminal);

  // For the next job, into `fds`: input and job_end. What was typed to the one before and not read is no answer to its
  // questions, and forgotten. Without a terminal: pipes. False: see errno.
  bool open(std::span<const JobOutput> streams, JobTerminal* terminal, RunFds& fds);
  void close_terminal() { slave_.reset(); }  // the next job has it
  // In the next job's process: its stdin is the one that the first had, if it was kept. A file is read from the same
  // place again.
  void give_input() const;

 private:
  std::optional<termios> modes_;
  std::array<UniqueFd, 2> pipes_;
  UniqueFd slave_;
  UniqueFd input_;
  off_t input_from_ = -1;  // it is not a file
};

}  // namespace gputop::run
