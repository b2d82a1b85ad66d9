// The recording being written, as seen by those who publish into it.
#pragma once

#include <cstdint>

namespace gputop {

// No call here waits.
class Archive {
 public:
  Archive() = default;
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;
  virtual ~Archive() = default;

  virtual bool has_room() = 0;           // more can be published without dropping anything
  virtual std::uint64_t received() = 0;  // how many events were published so far
  virtual std::uint64_t settled() = 0;   // of these, on the disk, or given up because it refuses
  virtual std::uint64_t steps() = 0;     // of its work; they stop if the disk hangs
  virtual void hurry() = 0;              // settle what was received soon
};

}  // namespace gputop
