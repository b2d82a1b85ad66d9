// The descriptors of a run, and the text that passes them through exec.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "gputop/base/descriptor.hpp"

namespace gputop::run {

// Numbers stay the same through exec (the user's own descriptors 3, 4, … must reach the job untouched, so there are no
// fixed ones). -1: absent.
struct RunFds {
  int shared = -1;
  int wake = -1;                       // eventfd: keeper → engine
  std::array<int, 2> control{-1, -1};  // the keeper's end and the engine's: both outlive either process
  std::array<int, 2> input{-1, -1};    // PTY master, or read ends of the job's stdout and stderr
  std::array<int, 2> output{-1, -1};   // the user's stdout and stderr, headless only
  std::array<int, 2> job_end{-1, -1};  // PTY slave, or write ends: until the job is started
  int report = -1;                     // keeper → starter: StartReport
  // The user's stdin, kept for a job that follows the first. Under a terminal, set only if it is not a terminal itself:
  // the job then reads from it as it would without us.
  int user_input = -1;
  // Pipes: the ring as files whose positions the kernel moves with the bytes, in (from the job) and out (to the user).
  std::array<int, 2> ring_in{-1, -1};
  std::array<int, 2> ring_out{-1, -1};
  std::uint64_t generation = 0;  // engine only

  static constexpr std::size_t kCount = 16;
  [[nodiscard]] std::array<int, kCount> all() const {
    auto copy = *this;
    std::array<int, kCount> values{};
    const auto targets = copy.places();
    for (std::size_t i = 0; i < kCount; ++i) values[i] = *targets[i];
    return values;
  }
  [[nodiscard]] std::array<int*, kCount> places() {
    return {&shared,     &wake,       &control[0], &control[1], &input[0],   &input[1],   &output[0],   &output[1],
            &job_end[0], &job_end[1], &report,     &user_input, &ring_in[0], &ring_in[1], &ring_out[0], &ring_out[1]};
  }
};

// Both are open and refer to the same file, pipe or terminal.
bool is_same_file(int first, int second);

using FdText = std::array<char, 192>;
FdText format_fds(const RunFds& fds);                // allocates nothing
bool parse_fds(std::string_view text, RunFds& fds);  // false: not such a table
// Closes everything above 2 that is neither in the table nor in `also`. Never allocates.
void close_others(const RunFds& fds, std::array<int, 4> also);
void keep_through_exec(const RunFds& fds, bool keep);  // sets or clears close-on-exec on all of them

}  // namespace gputop::run
