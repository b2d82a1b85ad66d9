// The recordings of a job, followed while they grow, or lines of them that come from other nodes; and what they say
// together.
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
  // `now` everywhere: seconds of any clock that only goes forward.
  struct Member {
    std::string name;  // the file, or what another node calls it
    std::unique_ptr<RecordingFollower> file;
    EventLines lines;
    job::RecordingTrack track;
    double grown = 0;
    std::string problem;
  };

  // Files that are there by now and not followed yet. `idle`: seconds since the file was last written, as the disk says.
  void follow(const std::vector<std::string>& paths, double now);
  // Everything that was appended. True: something was.
  bool look(double now);
  // A line of what a node calls `name`.
  void hear(const std::string& name, std::string_view line, double now);

  // `live`: who does not grow any more is silent.
  [[nodiscard]] job::Whole whole(double now, bool live) const;
  [[nodiscard]] const std::vector<std::unique_ptr<Member>>& members() const { return members_; }
  [[nodiscard]] bool all_ended() const;

 private:
  Member& member(const std::string& name, double now);

  FollowerRoom room_;
  std::vector<std::unique_ptr<Member>> members_;
};

// All of a job's recordings, read to their ends.
job::Whole read_job(const std::vector<std::string>& paths);

}  // namespace gputop
