// What is wrong in a fleet, worst first, with the same limits as configs/prometheus/gputop.rules.yml.
#include <algorithm>
#include <map>

#include "fleet/metrics.hpp"
#include "gputop/core/format.hpp"

namespace gputop::fleet {
namespace {

constexpr double kStill = 600;        // s without a sign of life
constexpr double kHotMargin = 3;      // °C below the slowdown
constexpr double kHot = 90;           // °C where the slowdown is unknown
constexpr double kStraggler = 0.25;   // more of its step than the median rank waits for input
constexpr double kOldFile = 300;      // s: an exporter that writes every few seconds has stopped

class Finder {
 public:
  Finder(const Fleet& fleet, const Answers& answers) : fleet_(fleet), answers_(answers) {}

  std::vector<Trouble> find() {
    for (const auto& gpu : fleet_.gpus) look_at(gpu);
    for (const auto& job : fleet_.jobs) look_at(job);
    find_stragglers();
    find_dead_exporters();
    std::stable_sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.level > b.level; });
    return std::move(found_);
  }

 private:
  void look_at(const Gpu& gpu) {
    const auto add = [&](Level level, std::string what, std::string text) {
      found_.push_back({.level = level,
                        .what = std::move(what),
                        .where = gpu.node + (gpu.index.empty() ? "" : " GPU " + gpu.index),
                        .text = std::move(text),
                        .node = gpu.node,
                        .gpu = gpu.uuid,
                        .job = gpu.jobs.empty() ? "" : gpu.jobs.front()});
    };
    if (gpu.lost) add(Level::kBad, "GPU lost", gpu.name + " does not answer");
    if (gpu.new_xids > 0) add(Level::kBad, "Xid", "errors of the driver within the last hour; see dmesg on " + gpu.node);
    const bool hot = gpu.temperature && gpu.temperature->value() >= (gpu.slowdown ? gpu.slowdown->value() - kHotMargin : kHot);
    if (gpu.throttled_by_heat || hot) {
      const auto at = gpu.temperature ? format_number(gpu.temperature->value(), 0) + " °C" : std::string{};
      add(gpu.throttled_by_heat ? Level::kBad : Level::kWarning, "heat",
          at + (gpu.throttled_by_heat ? (at.empty() ? "" : ", ") + std::string{"clocks held down"} : std::string{}));
    }
    if (gpu.wasted()) {
      std::string who;
      for (const auto& user : gpu.users) who += (who.empty() ? "" : ", ") + user;
      add(Level::kWarning, "idle but held",
          "0 % busy for half an hour" + (gpu.memory_used ? ", " + format_bytes(*gpu.memory_used) + " held" : std::string{}) +
              (who.empty() ? "" : " by " + who) + (gpu.jobs.empty() ? "" : ", job " + gpu.jobs.front()));
    }
  }

  void look_at(const Job& job) {
    const auto add = [&](Level level, std::string what, std::string text) {
      found_.push_back({.level = level,
                        .what = std::move(what),
                        .where = "job " + job.id,
                        .text = std::move(text),
                        .node = job.nodes.size() == 1 ? job.nodes.front() : "",
                        .gpu = "",
                        .job = job.id});
    };
    if (job.still && *job.still >= kStill)
      add(Level::kBad, "stalled", job.name + " has been silent for " + format_duration(from_seconds(*job.still)));
    for (const auto& advice : job.advice) {
      if (advice.id == "stalled" || advice.level < Level::kWarning) continue;
      add(advice.level, advice.id, advice.title + (advice.change.empty() ? "" : ": " + advice.change));
    }
  }

  void find_stragglers() {
    std::map<std::string, std::vector<std::pair<double, std::string>>> waits;
    for (const auto& sample : answers_.now) {
      if (sample.name() == "gputop_rank_input_wait_ratio")
        waits[std::string{sample.label("job_id")}].emplace_back(sample.value, sample.label("rank"));
    }
    for (auto& [job, ranks] : waits) {
      if (ranks.size() < 3) continue;
      std::sort(ranks.begin(), ranks.end());
      const double median = ranks[ranks.size() / 2].first;
      const auto& [worst, rank] = ranks.back();
      if (worst - median < kStraggler) continue;
      found_.push_back({.level = Level::kWarning,
                        .what = "straggler",
                        .where = "job " + job,
                        .text = "rank " + rank + " waits for data " + format_number(100 * worst, 0) +
                                " % of its step, the median rank " + format_number(100 * median, 0) + " %",
                        .node = "",
                        .gpu = "",
                        .job = job});
    }
  }

  void find_dead_exporters() {
    const double now = std::chrono::duration<double>(answers_.at.time_since_epoch()).count();
    for (const auto& sample : answers_.now) {
      const auto instance = std::string{sample.label("instance")};
      if (sample.name() == "up" && sample.value < 0.5)
        found_.push_back({.level = Level::kWarning,
                          .what = "not scraped",
                          .where = instance,
                          .text = "Prometheus does not reach it (job " + std::string{sample.label("job")} + ")",
                          .node = host_of(instance),
                          .gpu = "",
                          .job = ""});
      const bool ours = sample.label("file").find("gputop") != std::string_view::npos;
      if (sample.name() == "node_textfile_mtime_seconds" && ours && now - sample.value > kOldFile)
        found_.push_back({.level = Level::kWarning,
                          .what = "old figures",
                          .where = host_of(instance),
                          .text = "gputop export last wrote " + format_duration(from_seconds(now - sample.value)) + " ago",
                          .node = host_of(instance),
                          .gpu = "",
                          .job = ""});
    }
  }

  const Fleet& fleet_;
  const Answers& answers_;
  std::vector<Trouble> found_;
};

}  // namespace

std::vector<Trouble> find_troubles(const Fleet& fleet, const Answers& answers) {
  return Finder{fleet, answers}.find();
}

}  // namespace gputop::fleet
