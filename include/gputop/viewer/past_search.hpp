// Searches a run's recording for older output while the loop continues: a low-priority thread, one search at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gputop/app/effect.hpp"
#include "gputop/stream/archive.hpp"
#include "gputop/stream/loop.hpp"
#include "gputop/ui/past_output.hpp"

namespace gputop {

// Lives on the loop's thread. It answers only the last request, and nothing after its destruction. It never waits for
// its thread: a disk may hang.
class PastSearch {
 public:
  // What to search, as it is at the time of the request.
  struct Source {
    std::string path;
    Archive* archive = nullptr;                // which still writes to it
    const term::Emulator* terminal = nullptr;  // the output that is available without the recording
    std::uint64_t position = 0;                // bytes of output fed to it, including earlier ones
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
  std::shared_ptr<int> unfinished_ = std::make_shared<int>(0);  // its use count is the number of threads that have not ended
};

}  // namespace gputop
