#include "gputop/stream/print_job.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <memory>
#include <set>
#include <thread>

#include "gputop/base/output.hpp"
#include "gputop/config/environment.hpp"
#include "gputop/store/recording_follower.hpp"
#include "gputop/stream/job_files.hpp"
#include "gputop/stream/node_streams.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

// The reader is gone.
bool is_unread() {
  pollfd out{STDOUT_FILENO, 0, 0};
  return ::poll(&out, 1, 0) > 0 && (out.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
}

class JobPrinter {
 public:
  explicit JobPrinter(const std::string& job) : files_(job) {}

  int run() {
    // srun starts one process per node. If the nodes share a home folder, each handles only its own recordings.
    const auto node = process_environment()("SLURMD_NODENAME");
    for (auto due = std::chrono::steady_clock::now();; due += 1s) {
      find(node);
      for (auto& follower : followers_) look(*follower);
      if (is_unread() || lost_) return 0;
      std::this_thread::sleep_until(due + 1s);
    }
  }

 private:
  void find(const std::optional<std::string>& node) {
    for (const auto& path : files_.find()) {
      if (!seen_.insert(path).second) continue;
      if (node) {
        const auto job = job_of_recording(path);
        if (job && job->node != *node) continue;
      }
      followers_.push_back(std::make_unique<RecordingFollower>(path));
    }
  }
  void look(RecordingFollower& follower) {
    bool named = false;
    std::string text;
    const auto looked = follower.look(room_, [&](std::string_view line) {
      if (!std::exchange(named, true)) text += from_line(here_ + ":" + follower.path()) + "\n";
      text += line;
      text += '\n';
    });
    if (!looked) complain(looked.error().message);
    lost_ = lost_ || (!text.empty() && write_out(text, stdout) != WriteResult::kOk);
  }

  // Two nodes may have files with the same name.
  static std::string here() {
    std::array<char, 256> name{};
    const auto node = process_environment()("SLURMD_NODENAME");
    if (node) return *node;
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "node";
  }

  JobFiles files_;
  std::string here_ = here();
  FollowerRoom room_;
  std::set<std::string> seen_;
  std::vector<std::unique_ptr<RecordingFollower>> followers_;
  bool lost_ = false;
};

}  // namespace

int print_job_lines(const std::string& job) {
  return JobPrinter{job}.run();
}

}  // namespace gputop
