// The job's terminal from the keyboard's side: typing to a job that may not be reading, and rate-limited resizing.
// Never allocates, never blocks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gputop::run {

class JobTerminal {
 public:
  void open(int master) { master_ = master; }

  // False: no room, nothing was taken.
  bool type(std::string_view bytes);
  [[nodiscard]] bool has_typed() const { return typed_size_ > 0; }
  void write_typed();  // as much as the terminal takes now
  void forget_typed() { typed_size_ = 0; }

  // The last of many wins; at most ten per second reach the job. Times in milliseconds.
  void resize(std::int32_t rows, std::int32_t columns);
  [[nodiscard]] bool wants_resize() const { return wants_resize_; }
  void apply_resize(std::int64_t now);

 private:
  int master_ = -1;
  std::array<char, 65536> typed_;
  std::size_t typed_size_ = 0;
  bool wants_resize_ = false;
  std::int32_t rows_ = 0;
  std::int32_t columns_ = 0;
  std::int64_t resized_at_ = 0;
};

}  // namespace gputop::run
