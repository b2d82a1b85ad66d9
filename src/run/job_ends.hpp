// The job's ends of its terminal or pipes, kept for the next job. Never allocates.
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
  // What the first job is about to read from: a terminal with its modes, and the position of the user's stdin if that
  // is a file.
  void remember(int input);
  // The user's own stdin, if the next job gets it again; closed with this object.
  void keep_input(int stdin_of_user) { input_.reset(stdin_of_user); }
  // From now on, pipes stay open after the job ends.
  void keep_open(std::span<const JobOutput> streams);
  // Some output has not been read, or has not reached the user. A terminal reports that nobody has it open any more; a
  // pipe that is kept open here does not.
  [[nodiscard]] static bool has_last_words(std::span<const JobOutput> streams, bool terminal);

  // For the next job, into `fds`: input and job_end. Discards what was typed to the previous job and not read, because
  // it does not answer the next one's questions. Without a terminal: pipes. False: see errno.
  bool open(std::span<const JobOutput> streams, JobTerminal* terminal, RunFds& fds);
  void close_terminal() { slave_.reset(); }  // the next job has it
  // In the next job's process: its stdin is the first job's, if it was kept. A file is read from the same position
  // again.
  void give_input() const;

 private:
  std::optional<termios> modes_;
  std::array<Descriptor, 2> pipes_;
  Descriptor slave_;
  Descriptor input_;
  off_t input_from_ = -1;  // -1: it is not a file
};

}  // namespace gputop::run
