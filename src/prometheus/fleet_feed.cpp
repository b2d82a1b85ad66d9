#include "gputop/prometheus/fleet_feed.hpp"

#include <algorithm>

#include "gputop/core/format.hpp"

namespace gputop::prometheus {
namespace {

using namespace std::chrono_literals;

constexpr Duration kTryAgain = 5s;  // for an unreachable server

Result<std::vector<fleet::Sample>> ask(Curl& curl, const std::string& query) {
  const auto answer = curl.get("/api/v1/query", {{"query", query}});
  if (!answer) return answer.error();
  return fleet::read_vector(*answer);
}

// Merges the answers of several queries.
Result<std::vector<fleet::Sample>> ask_all(Curl& curl, const std::vector<std::string>& queries) {
  std::vector<fleet::Sample> all;
  for (const auto& query : queries) {
    auto samples = ask(curl, query);
    if (!samples) return samples.error();
    std::move(samples->begin(), samples->end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace

Result<fleet::Fleet> read_fleet(Curl& curl) {
  fleet::Answers answers;
  answers.at = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  auto now = ask(curl, fleet::now_query());
  if (!now) return now.error();
  answers.now = *std::move(now);
  auto recent = ask_all(curl, fleet::recent_queries(answers.now));
  if (!recent) return recent.error();
  answers.recent = *std::move(recent);
  auto xids = ask_all(curl, fleet::xid_queries(answers.now));
  if (!xids) return xids.error();
  answers.xids = *std::move(xids);
  auto cpu = ask(curl, fleet::cpu_query());
  if (!cpu) return cpu.error();
  answers.cpu = *std::move(cpu);
  return fleet::build(answers);
}

FleetFeed::FleetFeed(Loop& loop, Access access, Duration interval, Handlers handlers)
    : loop_(loop),
      interval_(interval),
      handlers_(std::move(handlers)),
      curl_(std::move(access)),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

FleetFeed::~FleetFeed() {
  *alive_ = false;
  thread_.request_stop();
  curl_.cancel();
}

void FleetFeed::refresh() {
  const std::lock_guard lock{mutex_};
  due_ = true;
  changed_.notify_all();
}

void FleetFeed::ask_history(std::uint64_t request, std::vector<HistoryQuery> queries, std::chrono::seconds span, int points) {
  const std::lock_guard lock{mutex_};
  wanted_ = Wanted{request, std::move(queries), span, points};
  changed_.notify_all();
}

// The screen is on the loop and may be gone when the answer arrives.
void FleetFeed::post(std::function<void()> task) {
  loop_.post([alive = alive_, task = std::move(task)] {
    if (*alive) task();
  });
}

// Whether there was an answer.
bool FleetFeed::read_all() {
  auto fleet = read_fleet(curl_);
  if (!fleet) {
    post([this, error = fleet.error()] { handlers_.failed(error); });
    return false;
  }
  post([this, read = std::make_shared<fleet::Fleet>(*std::move(fleet))] { handlers_.fleet(std::move(*read)); });
  return true;
}

void FleetFeed::read_history(const Wanted& wanted) {
  const double to = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  const double length = static_cast<double>(wanted.span.count());
  const HistorySpan span{to - length, to, std::max(1.0, length / std::max(2, wanted.points))};
  auto all = std::make_shared<std::vector<fleet::Series>>();
  for (const auto& query : wanted.queries) {
    fleet::Series series;
    const auto answer = query.query.empty() ? Result<std::string>{Error{}}
                                            : curl_.get("/api/v1/query_range", {{"query", query.query},
                                                                                {"start", format_number(span.from, 3)},
                                                                                {"end", format_number(span.to, 3)},
                                                                                {"step", format_number(span.step, 3)}});
    // An unavailable chart is empty; the next full reading reports an unreachable server.
    if (auto read = answer ? fleet::read_range(*answer) : Result<fleet::Series>{answer.error()}) series = *std::move(read);
    for (auto& point : series.points) point.value *= query.factor;
    all->push_back(std::move(series));
  }
  post([this, request = wanted.request, span, all] { handlers_.history(request, span, std::move(*all)); });
}

void FleetFeed::work(const std::stop_token& stop) {
  auto next = std::chrono::steady_clock::now();
  while (!stop.stop_requested()) {
    std::optional<Wanted> wanted;
    {
      std::unique_lock lock{mutex_};
      changed_.wait_until(lock, stop, next, [this] { return due_ || wanted_; });
      wanted = std::exchange(wanted_, std::nullopt);
      if (due_) next = std::chrono::steady_clock::now();
      due_ = false;
    }
    if (stop.stop_requested()) return;
    if (wanted) read_history(*wanted);
    if (std::chrono::steady_clock::now() < next) continue;
    const bool ok = read_all();
    next = std::chrono::steady_clock::now() + (ok ? interval_ : std::min(interval_, kTryAgain));
  }
}

}  // namespace gputop::prometheus
