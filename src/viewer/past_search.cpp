#include "gputop/viewer/past_search.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>

#include "gputop/sources/detached_thread.hpp"
#include "viewer/output_search.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr int kNice = 10;              // the job's output comes first
constexpr Duration kLookAgain = 10ms;  // until the newest output is on the disk
constexpr Duration kUnsettled = 1s;    // then it is searched as it is
constexpr auto kProgressPause = 250ms;
constexpr long kMostThreads = 4;  // threads that may hang on a slow disk

}  // namespace

struct PastSearch::Search {
  std::atomic<bool> stop{false};
  std::mutex mutex;
  Loop* loop = nullptr;  // null: nobody listens any more. Guarded by the mutex

  void post(Loop::Task task) {
    const std::lock_guard lock{mutex};
    if (loop != nullptr) loop->post(std::move(task));
  }
};

PastSearch::PastSearch(Loop& loop, std::function<Source()> source, Handlers handlers)
    : loop_(loop), source_(std::move(source)), handlers_(std::move(handlers)), timer_(loop.make_timer()) {}

PastSearch::~PastSearch() {
  drop();
}

void PastSearch::drop() {
  timer_->cancel();
  if (!search_) return;
  search_->stop = true;
  const std::lock_guard lock{search_->mutex};
  search_->loop = nullptr;
  search_.reset();
}

void PastSearch::ask(const LookBack& wanted) {
  drop();
  if (wanted.what == LookBack::What::kNothing) return;
  const auto source = source_();
  if (source.archive == nullptr) return start(wanted, source);
  source.archive->hurry();
  start_when_settled(wanted, source.archive->received(), loop_.now() + kUnsettled);
}

void PastSearch::start_when_settled(const LookBack& wanted, std::uint64_t events, Instant latest) {
  const auto source = source_();
  if (source.archive == nullptr || source.archive->settled() >= events || loop_.now() >= latest) {
    return start(wanted, source);
  }
  timer_->at(loop_.now() + kLookAgain, [this, wanted, events, latest] { start_when_settled(wanted, events, latest); });
}

void PastSearch::start(const LookBack& wanted, const Source& source) {
  const auto& terminal = *source.terminal;
  const auto at_hand = terminal.fed_since(terminal.first_line());
  const OutputSearch::Options options{.columns = terminal.columns(),
                                      .rows = terminal.rows(),
                                      .newline_returns = source.newline_returns,
                                      .edge = source.position - std::min(source.position, at_hand)};
  if (options.edge == 0) return handlers_.answer({wanted.request, nullptr, ""});
  if (unfinished_.use_count() > kMostThreads) {
    return handlers_.answer({wanted.request, nullptr, "the disk with the recording does not respond"});
  }
  auto search = std::make_shared<Search>();
  search->loop = &loop_;
  // Runs on the loop, and only while this is alive: drop() cuts the connection, and a call posted earlier checks again.
  const auto answer = [this, search](std::shared_ptr<ui::PastAnswer> found) {
    if (search->stop) return;
    search_.reset();
    handlers_.answer(std::move(*found));
  };
  const auto tell = [this, search, request = wanted.request](int percent) {
    if (!search->stop) handlers_.progress(request, percent);
  };
  const auto work = [search, answer, tell, wanted, options, path = source.path, counted = unfinished_] {
    ::setpriority(PRIO_PROCESS, 0, kNice);  // on Linux this thread alone
    auto found = std::make_shared<ui::PastAnswer>();
    found->request = wanted.request;
    auto recorded = RecordedOutput::open(path);
    if (recorded) {
      auto told = std::chrono::steady_clock::now();
      OutputSearch look{*std::move(recorded), options, [&](int percent) {
                          const auto now = std::chrono::steady_clock::now();
                          if (now - told > kProgressPause) {
                            told = now;
                            search->post([tell, percent] { tell(percent); });
                          }
                          return !search->stop;
                        }};
      found->past = look.find(wanted);
    } else {
      found->problem = recorded.error().message;
    }
    search->post([answer, found] { answer(found); });
  };
  search_ = search;
  if (!start_detached(work)) {
    search_.reset();
    handlers_.answer(
        {wanted.request, nullptr, "no thread for the search: the system or a limit (ulimit -u) refused one"});
  }
}

}  // namespace gputop
