#include "gputop/viewer/follow_submit.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>

#include "gputop/base/answer.hpp"
#include "gputop/base/descriptor.hpp"
#include "gputop/base/output.hpp"
#include "gputop/core/format.hpp"
#include "gputop/job/submitted.hpp"
#include "gputop/stream/job_files.hpp"
#include "gputop/stream/loop.hpp"
#include "gputop/viewer/screen.hpp"
#include "gputop/viewer/watch_job.hpp"

extern char** environ;

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr Duration kAskEvery = 5s;  // the controller serves everyone: do not ask it often
constexpr std::chrono::milliseconds kQueuePatience = 10s;
constexpr std::size_t kMostKept = 64 * 1024;  // of the command's output
constexpr int kMostFailures = 6;              // answers that do not come, in a row

struct Submitted {
  int code = 0;
  std::string output;
};

std::optional<Submitted> run_command(const std::vector<std::string>& argv) {
  Pipe pipe = Pipe::open();
  if (!pipe) return std::nullopt;
  std::vector<char*> words;
  for (const auto& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, pipe.writer.get(), STDOUT_FILENO);
  pid_t child = 0;
  const int problem = ::posix_spawnp(&child, words.front(), &actions, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  pipe.writer.reset();
  if (problem != 0) {
    complain(argv.front() + " cannot be started: " + std::strerror(problem));
    return Submitted{problem == ENOENT ? 127 : 126, ""};
  }
  Submitted submitted;
  std::array<char, 4096> bytes{};
  while (true) {
    const auto got = ::read(pipe.reader.get(), bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    const std::string_view piece{bytes.data(), static_cast<std::size_t>(got)};
    write_out(piece, stdout);
    if (submitted.output.size() < kMostKept) submitted.output += piece;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  submitted.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return submitted;
}

enum class Place : std::uint8_t { kQueue, kNodes, kGone, kUnknown };

// Says in lines what becomes of the job.
class Follower {
 public:
  Follower(std::string job, const WatchOptions& options) : job_(std::move(job)), options_(options) {}

  void run() {
    complain("job " + job_ + " is followed from here; Ctrl-C leaves it, and it goes on");
    while (wait_for_change()) {
      // Its ranks may not have written yet.
      const auto way = way_to_job(job_, "", {});
      if (!way || !way->commands.empty()) continue;
      watch_job(*way, options_);
      watched_ = true;
      if (wants_screen(options_)) return leave();
    }
  }

 private:
  Place ask() {
    const auto answer = answer_of({"squeue", "--noheader", "--states=all", "--format=%T %r %N", "--jobs=" + job_}, kQueuePatience);
    if (!answer) return ++failures_ >= kMostFailures ? Place::kGone : Place::kUnknown;
    failures_ = 0;
    const auto queued = job::read_queued(*answer);
    if (!queued) return Place::kGone;
    if (queued->state == "PENDING" || queued->state == "CONFIGURING" || queued->state == "REQUEUED") return say(*queued), Place::kQueue;
    if (queued->state == "RUNNING" || queued->state == "SUSPENDED" || queued->state == "STOPPED") return say(*queued), Place::kNodes;
    return queued->state == "COMPLETING" ? Place::kNodes : Place::kGone;
  }

  void say(const job::QueuedJob& queued) {
    const auto text = "job " + job_ + " is " + printable(job::to_words(queued));
    if (text != said_) complain(text);
    said_ = text;
  }

  // True: it runs, and its recordings may be there. False: it is over, or the user has left.
  bool wait_for_change() {
    Loop loop;
    bool left = false;
    auto place = Place::kUnknown;
    auto timer = loop.make_timer();
    loop.on_signals({SIGINT, SIGTERM, SIGHUP}, [&](int) {
      left = true;
      loop.stop();
    });
    std::function<void()> look = [&] {
      place = ask();
      if (place == Place::kGone || (place == Place::kNodes && !watched_)) return loop.stop();
      timer->at(loop.now() + kAskEvery, look);
    };
    timer->at(loop.now() + (first_ ? Duration{} : kAskEvery), look);
    first_ = false;
    loop.run();
    if (left) {
      leave();
    } else if (place == Place::kGone) {
      const auto answer = answer_of({"scontrol", "show", "job", "--oneliner", job_}, kQueuePatience);
      const auto how = answer ? job::how_it_ended(*answer) : "";
      complain("job " + job_ + (how.empty() ? " is no longer in the queue" : " has ended: " + printable(how)));
      if (!watched_) say_what_is_left();
    }
    return !left && place == Place::kNodes;
  }

  // A short job may be over before anybody looked.
  void say_what_is_left() const {
    if (!JobFiles{job_}.find().empty()) return complain("job " + job_ + " has left recordings: gputop report " + job_ + " reads them");
    complain("job " + job_ + " has left no recording that can be seen here: put \"gputop --\" before the command in its script (srun gputop -- python train.py)");
  }

  void leave() const { complain("job " + job_ + " goes on: gputop attach " + job_ + " shows it again"); }

  std::string job_;
  const WatchOptions& options_;
  std::string said_;
  int failures_ = 0;
  bool first_ = true;
  bool watched_ = false;
};

}  // namespace

int submit_and_follow(const std::vector<std::string>& argv, const WatchOptions& options) {
  const auto submitted = run_command(argv);
  if (!submitted) return failed(Error{Error::Kind::kUnavailable, "no pipe for " + argv.front()});
  const auto job = job::submitted_job(submitted->output);
  if (submitted->code != 0 || !job || job::is_for_a_script(argv)) return submitted->code;
  Follower{*job, options}.run();
  return submitted->code;
}

}  // namespace gputop
