// Follows the recordings of a job while they grow, or their lines from other nodes, and combines them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/job/track.hpp"
#include "gputop/store/event_lines.hpp"
#include "gputop/store/recording_follower.hpp"
#include "gputop/stream/job_files.hpp"

namespace gputop {

class JobWatch {
 public:
  // `now` is seconds of any monotonic clock.
  struct Member {
    std::string name;  // the file, or the other node's name for it
    std::unique_ptr<RecordingFollower> file;
    EventLines lines;
    job::RecordingTrack track;
    double grown = 0;
    bool looked = false;  // at the file, at least once
    std::string problem;
  };

  // Files that exist now and are not followed yet. `idle`: seconds since the file was last written, according to the
  // disk.
  void follow(const std::vector<std::string>& paths, double now);
  // Reads everything that was appended; of very many files only a part in each look, and all of each new one. True: there
  // was something.
  bool look(double now);
  // A line of the recording that a node calls `name`.
  void hear(const std::string& name, std::string_view line, double now);
  // An event of this member's recording, which somebody else reads.
  void take(std::size_t member, const Event& event, double now);

  // `live`: a recording that no longer grows counts as silent.
  [[nodiscard]] job::Whole whole(double now, bool live) const;
  [[nodiscard]] const std::vector<std::unique_ptr<Member>>& members() const { return members_; }
  [[nodiscard]] bool all_ended() const;

 private:
  Member& member(const std::string& name, double now);

  FollowerRoom room_;
  std::size_t looks_ = 0;
  std::vector<std::unique_ptr<Member>> members_;
};

}  // namespace gputop
