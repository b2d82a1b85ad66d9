// The output of a run as its recording holds it, frame by frame from any place in either direction: for who looks for
// something in ten days of it. Bounded memory; the file may still be growing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

// What one frame holds. Positions count the bytes of all streams that the job wrote before, in recorded order.
struct OutputFrame {
  std::uint64_t offset = 0;  // of the frame in the file
  std::uint64_t begin = 0;   // position of the first byte
  std::string bytes;
  struct Moment {
    std::size_t from = 0;  // of bytes
    Instant at;
  };
  std::vector<Moment> moments;  // when they were written

  [[nodiscard]] std::uint64_t end() const { return begin + bytes.size(); }
  [[nodiscard]] Instant at(std::size_t byte) const;
};

// One thread at a time.
class RecordedOutput {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{16} << 20U;  // of one frame; ours hold half of it

  // Errors: no such file, not a file.
  static Result<RecordedOutput> open(const std::string& path);

  RecordedOutput(RecordedOutput&&) noexcept;
  RecordedOutput& operator=(RecordedOutput&&) noexcept;
  ~RecordedOutput();

  // Bytes in the file now.
  [[nodiscard]] std::uint64_t size() const;
  // The last frame that begins before this offset of the file. One whose output begins at or behind `until` is given
  // without its bytes: nobody wants them. nullopt: there is none.
  std::optional<OutputFrame> before(std::uint64_t offset, std::uint64_t until);
  // The first frame that begins at this offset or behind it.
  std::optional<OutputFrame> from(std::uint64_t offset);

 private:
  class Impl;
  explicit RecordedOutput(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace gputop
