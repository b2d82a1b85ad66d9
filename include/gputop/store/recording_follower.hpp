// A recording that somebody else is writing, maybe on another machine: each look at it gives the lines that came since.
// Holds no file open and little memory, so that a thousand of them can be followed; a frame's text is unpacked again for
// what was appended to it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "gputop/core/result.hpp"

namespace gputop {

// What looking needs for a moment; one for all.
class FollowerRoom {
 public:
  FollowerRoom();
  ~FollowerRoom();
  FollowerRoom(const FollowerRoom&) = delete;
  FollowerRoom& operator=(const FollowerRoom&) = delete;

 private:
  friend class RecordingFollower;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

class RecordingFollower {
 public:
  using TakeLine = std::function<void(std::string_view line)>;  // without its newline

  // Of a long recording: its first frame, which says what it is of, and then from its last one on; else all of it.
  explicit RecordingFollower(std::string path, bool all = false) : path_(std::move(path)), all_(all) {}

  // True: it has grown. Errors: it cannot be opened, or is no recording (any more).
  Result<bool> look(FollowerRoom& room, const TakeLine& take);
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  Result<bool> read(int file, FollowerRoom& room, const TakeLine& take);
  bool go_on_behind_damage(int file, FollowerRoom& room);
  [[nodiscard]] std::uint64_t last_frame(int file, FollowerRoom& room) const;

  std::string path_;
  bool all_;
  bool sought_ = false;      // the first frame is behind us
  std::uint64_t size_ = 0;   // of the file, when it was last looked at
  std::uint64_t frame_ = 0;  // offset of the marker of the frame that is being read
  std::uint64_t done_ = 0;   // bytes of its text that were given out
};

}  // namespace gputop
