// One stream of the job's output: into the ring and, headless, also to the user's own stdout or stderr. Never
// allocates, never blocks, loses nothing while a live engine reads it.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>

#include "run/ring.hpp"
#include "run/user_output.hpp"

namespace gputop::run {

class JobOutput {
 public:
  using Milliseconds = std::int64_t;
  // The keeper's state that matters here.
  struct Moment {
    Milliseconds now = 0;
    bool job_gone = false;
    bool engine_runs = false;
    bool engine_done = false;  // none will come any more
  };

  // Recovers what a killed predecessor had read and could not publish. `ring_file`: for a pipe, the ring as a file
  // whose position is where the next byte goes, shared with successors; -1: none.
  void open(const RingPlace& ring, int input, bool terminal, int ring_file);
  void copy_to(int user_output, int ring_file);  // -1: nowhere
  [[nodiscard]] int input() const { return input_; }
  [[nodiscard]] int output() const { return output_.fd(); }

  [[nodiscard]] bool may_read(const Moment& moment) const;
  bool read(const Moment& moment);  // true: there is something for the engine to look at
  [[nodiscard]] bool wants_copy() const { return output_.is_open() && output_.copied() < ring_.written(); }
  bool copy();  // true: the user's reader is gone, which the engine must know
  // Handles what changes only with time: a full ring, a missing terminal.
  void look(const Moment& moment);
  // Time until look() or read() has something to do without an event; -1: never.
  [[nodiscard]] int wait(const Moment& moment) const;

  [[nodiscard]] bool is_pressed() const;  // half of the ring waits for the engine
  [[nodiscard]] bool is_drained() const;  // the job is gone and everything it printed has arrived
  [[nodiscard]] bool is_closed() const { return input_ < 0 && !wants_copy(); }
  [[nodiscard]] bool is_absent() const { return retry_at_ != 0; }  // nobody has the terminal open

 private:
  ssize_t read_into_ring(const Moment& moment);
  ssize_t splice_into_ring();
  void recover_pipe();
  [[nodiscard]] bool is_held_back(const Moment& moment) const;

  RingWriter ring_;
  RingPlace place_;
  int input_ = -1;
  int ring_file_ = -1;
  bool terminal_ = false;
  UserOutput output_;
  bool overrun_ = false;      // the engine does not come back: the oldest bytes are dropped
  bool drained_ = false;      // nothing more came after the job was gone
  Milliseconds full_since_ = 0;
  Milliseconds retry_at_ = 0;  // nobody has the terminal open: look again, because the job may reopen /dev/tty
  Milliseconds read_at_ = 0;
  int read_errors_ = 0;         // of a pipe
  std::uint64_t released_ = 0;  // when last looked at
  Milliseconds released_at_ = 0;
  std::array<char, 65536> bounce_;  // holds bytes while room is made by force
};

}  // namespace gputop::run
