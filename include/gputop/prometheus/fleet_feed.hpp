// Reads a fleet repeatedly on its own thread: the loop never waits for a server.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gputop/fleet/api.hpp"
#include "gputop/fleet/fleet.hpp"
#include "gputop/prometheus/curl.hpp"
#include "gputop/stream/loop.hpp"

namespace gputop::prometheus {

// All queries, one after the other.
Result<fleet::Fleet> read_fleet(Curl& curl);

// A figure over time.
struct HistoryQuery {
  std::string query;
  double factor = 1;
  bool operator==(const HistoryQuery&) const = default;
};
struct HistorySpan {
  double from = 0;  // since 1970, s
  double to = 0;
  double step = 0;
};

// Created and destroyed on the loop's thread, where the handlers are called.
class FleetFeed {
 public:
  struct Handlers {
    std::function<void(fleet::Fleet)> fleet;
    std::function<void(Error)> failed;
    // One series per query, in their order; empty if there is no data.
    std::function<void(std::uint64_t request, HistorySpan span, std::vector<fleet::Series>)> history;
  };
  FleetFeed(Loop& loop, Access access, Duration interval, Handlers handlers);
  ~FleetFeed();
  FleetFeed(const FleetFeed&) = delete;
  FleetFeed& operator=(const FleetFeed&) = delete;

  // Reads now instead of at the next interval.
  void refresh();
  // The last `span`; replaces a previous request that is not answered yet.
  void ask_history(std::uint64_t request, std::vector<HistoryQuery> queries, std::chrono::seconds span, int points);

 private:
  struct Wanted {
    std::uint64_t request = 0;
    std::vector<HistoryQuery> queries;
    std::chrono::seconds span{};
    int points = 0;
  };
  void work(const std::stop_token& stop);
  bool read_all();
  void read_history(const Wanted& wanted);
  void post(std::function<void()> task);

  Loop& loop_;
  Duration interval_;
  Handlers handlers_;
  Curl curl_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool due_ = true;
  std::optional<Wanted> wanted_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  std::jthread thread_;
};

}  // namespace gputop::prometheus
