// A fleet as one value: nodes, GPUs, jobs and users as known to a Prometheus, from any exporters. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gputop/core/reading.hpp"
#include "gputop/core/time.hpp"
#include "gputop/core/units.hpp"

namespace gputop::fleet {

enum class Level : std::uint8_t { kOk, kInfo, kWarning, kBad };

// The series behind a figure, for its history: `query` returns it in `factor`-ths of the displayed unit.
struct Origin {
  std::string query;  // PromQL: gputop_gpu_utilization_ratio{uuid="…"}; "": unknown
  double factor = 1;
};

struct Gpu {
  std::string uuid;
  std::string node;
  std::string index;  // on the node; "": unknown
  std::string name;
  Reading<Percent> utilization;
  Reading<Percent> recent;  // its mean over the last half hour; unknown if there is no half hour of data
  Reading<Bytes> memory_used;
  Reading<Bytes> memory_total;
  Reading<Celsius> temperature;
  Reading<Celsius> slowdown;
  Reading<Watts> power;
  Reading<Watts> power_limit;
  Reading<bool> held;              // by a process or a job; unknown if no exporter reports it
  std::vector<std::string> users;  // that hold it
  std::vector<std::string> jobs;   // that are on it
  bool lost = false;
  bool throttled_by_heat = false;
  bool throttled_by_power = false;
  double new_xids = 0;  // of the last hour
  Origin utilization_of;
  Origin memory_of;
  Origin power_of;
  Origin temperature_of;

  // Held, and idle for half an hour.
  [[nodiscard]] bool wasted() const;
};

struct Job {
  std::string id;
  std::string name;
  std::string launcher;
  std::vector<std::string> nodes;
  std::vector<std::string> users;
  unsigned ranks = 0;  // its runs that gputop monitors
  unsigned gpus = 0;
  unsigned wasted = 0;          // of them
  Reading<double> utilization;  // %, mean of its GPUs
  Reading<double> step;         // of the rank that is farthest behind
  Reading<double> planned;
  Reading<double> rate;  // all ranks together
  std::string rate_unit;
  Reading<double> input_wait;  // 0…1, of the worst rank
  Reading<std::string> worst_rank;
  Reading<double> loss;
  Reading<double> still;      // seconds, of the rank that has been stalled longest
  Reading<double> remaining;  // seconds
  struct Advice {
    std::string id;
    std::string title;
    std::string change;
    Level level = Level::kInfo;
  };
  std::vector<Advice> advice;  // worst first
  bool by_gputop = false;      // otherwise known only from a GPU's labels
};

struct Node {
  std::string name;
  unsigned gpus = 0;
  unsigned held = 0;
  unsigned wasted = 0;
  Reading<double> utilization;  // %, mean of its GPUs
  Reading<double> power;        // W, all of them
  Reading<double> cpu;          // 0…1
  Reading<double> memory;       // 0…1
  std::vector<std::string> users;
  Level level = Level::kOk;  // of its worst trouble
};

struct User {
  std::string name;
  unsigned gpus = 0;
  unsigned wasted = 0;
  Reading<double> utilization;  // %
  std::vector<std::string> nodes;
};

struct Trouble {
  Level level = Level::kWarning;
  std::string what;   // "GPU lost", "idle but held", …
  std::string where;  // a node, a GPU, a job, for the user
  std::string text;
  std::string node;
  std::string gpu;  // UUID
  std::string job;
};

struct Fleet {
  WallTime at{};
  std::vector<Node> nodes;
  std::vector<Gpu> gpus;
  std::vector<Job> jobs;
  std::vector<User> users;
  std::vector<Trouble> troubles;      // worst first
  std::vector<std::string> exporters;  // whose metrics were found: "gputop", "dcgm-exporter", …
  std::vector<std::string> utilization_names;  // metrics that exist, for the history of all

  [[nodiscard]] unsigned wasted() const;
  [[nodiscard]] Reading<double> utilization() const;  // %, mean of all known ones
  [[nodiscard]] const Gpu* gpu(const std::string& uuid) const;
};

// --- from Prometheus ---

struct Sample {
  std::vector<std::pair<std::string, std::string>> labels;  // __name__ among them
  double value = 0;

  [[nodiscard]] std::string_view label(std::string_view name) const;  // "" where there is none
  [[nodiscard]] std::string_view name() const { return label("__name__"); }
};

struct Answers {
  WallTime at{};
  std::vector<Sample> now;     // of now_query()
  std::vector<Sample> recent;  // of the first of later_queries()
  std::vector<Sample> xids;
  std::vector<Sample> cpu;  // of cpu_query()
};

// Everything that is read at once: every series of the exporters that describe a fleet.
std::string now_query();
std::string cpu_query();
// What depends on which of them exist.
std::vector<std::string> recent_queries(const std::vector<Sample>& now);
std::vector<std::string> xid_queries(const std::vector<Sample>& now);

Fleet build(const Answers& answers);

// Worst first, after build().
std::vector<Trouble> find_troubles(const Fleet& fleet, const Answers& answers);

}  // namespace gputop::fleet
