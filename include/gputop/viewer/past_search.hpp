// Looks for older output in a run's recording while the loop goes on: a thread of low priority, one search at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gputop/app/effect.hpp"
#include "gputop/stream/archive.hpp"
#include "gputop/stream/loop.hpp"
#include "gputop/ui/past_output.hpp"

namespace gputop {

// Lives on the loop's thread; what it was asked for last is all it answers, and nothing once it is gone. It never waits
// for its thread: a disk may hang.
class PastSearch {
 public:
  // What is to be searched, as it is when somebody asks.
  struct Source {
    std::string path;
    Archive* archive = nullptr;                // that still writes to it
    const term::Emulator* terminal = nullptr;  // what is at hand
    std::uint64_t position = 0;                // bytes of output that were fed to it, and those before
    bool newline_returns = false;
  };
  struct Handlers {
    std::function<void(ui::PastAnswer)> answer;
    std::function<void(std::uint64_t request, int percent)> progress;
  };

  PastSearch(Loop& loop, std::function<Source()> source, Handlers handlers);
  ~PastSearch();
  PastSearch(const PastSearch&) = delete;
  PastSearch& operator=(const PastSearch&) = delete;

  void ask(const LookBack& wanted);

 private:
  struct Search;  // shared with its thread
  void start(const LookBack& wanted, const Source& source);
  void start_when_settled(const LookBack& wanted, std::uint64_t events, Instant latest);
  void drop();

  Loop& loop_;
  std::function<Source()> source_;
  Handlers handlers_;
  std::unique_ptr<Loop::Timer> timer_;
  std::shared_ptr<Search> search_;
  std::shared_ptr<int> unfinished_ = std::make_shared<int>(0);  // counts its owners: threads that have not ended
};

}  // namespace gputop
