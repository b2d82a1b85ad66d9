// Follows a recording that another process writes, possibly on another machine: each call returns the lines added since
// the last one. Keeps no file open and little memory, so a program can follow a thousand of them; it unpacks a frame
// again to read what was appended to it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "gputop/core/result.hpp"

namespace gputop {

// Scratch memory for one look; all followers share one.
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

  // For a long recording: its first frame, which identifies it, then everything from its last frame on. Otherwise all
  // of it.
  explicit RecordingFollower(std::string path, bool all = false) : path_(std::move(path)), all_(all) {}

  // True: it has grown. Errors: it cannot be opened, or is not a recording (any more).
  Result<bool> look(FollowerRoom& room, const TakeLine& take);
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  Result<bool> read(int file, FollowerRoom& room, const TakeLine& take);
  bool go_on_behind_damage(int file, FollowerRoom& room);
  [[nodiscard]] std::uint64_t last_frame(int file, FollowerRoom& room) const;

  std::string path_;
  bool all_;
  bool sought_ = false;      // past the first frame
  std::uint64_t size_ = 0;   // of the file at the last look
  std::uint64_t frame_ = 0;  // offset of the marker of the current frame
  std::uint64_t done_ = 0;   // bytes of its text already returned
};

}  // namespace gputop
