// Reads a run's output from its recording, frame by frame from any position in either direction, to search ten days of
// it. Bounded memory; the file may still be growing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

// The output in one frame. Positions count the bytes of all streams that the job wrote before, in recorded order.
struct OutputFrame {
  std::uint64_t offset = 0;  // of the frame in the file
  std::uint64_t begin = 0;   // position of the first byte
  std::string bytes;
  struct Moment {
    std::size_t from = 0;  // index into bytes
    Instant at;
  };
  std::vector<Moment> moments;  // when they were written

  [[nodiscard]] std::uint64_t end() const { return begin + bytes.size(); }
  [[nodiscard]] Instant at(std::size_t byte) const;
};

// Not thread-safe.
class RecordedOutput {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{16} << 20U;  // of one frame; ours use half of it

  // Errors: no such file, not a file.
  static Result<RecordedOutput> open(const std::string& path);

  RecordedOutput(RecordedOutput&&) noexcept;
  RecordedOutput& operator=(RecordedOutput&&) noexcept;
  ~RecordedOutput();

  // Current size of the file in bytes.
  [[nodiscard]] std::uint64_t size() const;
  // The last frame that begins before this file offset. If its output begins at or after `until`, it comes without its
  // bytes, which nobody needs. nullopt: there is none.
  std::optional<OutputFrame> before(std::uint64_t offset, std::uint64_t until);
  // The first frame that begins at or after this offset.
  std::optional<OutputFrame> from(std::uint64_t offset);

 private:
  class Impl;
  explicit RecordedOutput(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace gputop
