// Runs under gputop, and other exporters' data about jobs → jobs.
#include <algorithm>

#include "fleet/builder.hpp"

namespace gputop::fleet {
namespace {

Level level_of(std::string_view severity) {
  return severity == "error" ? Level::kBad : severity == "warning" ? Level::kWarning : Level::kInfo;
}

void keep_least(Reading<double>& kept, double value) {
  kept = kept ? std::min(*kept, value) : value;
}
void keep_most(Reading<double>& kept, double value) {
  kept = kept ? std::max(*kept, value) : value;
}

}  // namespace

void Builder::about_run(const Sample& sample) {
  const std::string_view id = sample.label("run");
  if (id.empty()) return;
  const auto where = node(sample);
  auto& run = runs_[where + "/" + std::string{id}];
  const auto name = sample.name();
  if (run.job.empty()) run.job = sample.label("job_id").empty() ? id : sample.label("job_id");
  if (name == "gputop_rank_input_wait_ratio") {
    run.waits[std::string{sample.label("rank")}] = sample.value;
  } else if (name == "gputop_run_info") {
    run.name = sample.label("name");
    run.launcher = sample.label("launcher");
    run.rank = sample.label("rank");
    run.node = sample.label("node").empty() ? where : std::string{sample.label("node")};
  } else if (name == "gputop_run_gpu_info") {
    run.gpus.emplace_back(sample.label("uuid"));
  } else if (name == "gputop_run_advice_info") {
    run.advice.push_back({std::string{sample.label("advice")}, std::string{sample.label("title")},
                          std::string{sample.label("change")}, level_of(sample.label("severity"))});
  } else {
    run.figures.emplace(name.substr(std::string_view{"gputop_run_"}.size()), sample.value);
  }
}

void Builder::put_jobs_on_gpus() {
  for (const auto& [key, run] : runs_) {
    for (const auto& uuid : run.gpus) {
      const auto found = gpus_.find(uuid);
      if (found == gpus_.end()) continue;
      add_name(found->second.gpu.jobs, run.job);
      found->second.gpu.held = true;
    }
  }
}

void Builder::add_run(Job& job, const Run& run) {
  ++job.ranks;
  job.by_gputop = true;
  if (job.name.empty()) job.name = run.name;
  if (job.launcher.empty()) job.launcher = run.launcher;
  add_name(job.nodes, run.node);
  const auto figure = [&](std::string_view name) -> Reading<double> {
    const auto found = run.figures.find(name);
    return found == run.figures.end() ? std::nullopt : Reading<double>{found->second};
  };
  if (const auto step = figure("step")) keep_least(job.step, *step);
  if (const auto planned = figure("planned_steps")) keep_most(job.planned, *planned);
  if (const auto still = figure("still_seconds")) keep_most(job.still, *still);
  if (const auto left = figure("remaining_seconds")) keep_most(job.remaining, *left);
  if (const auto loss = figure("loss"); loss && !job.loss) job.loss = loss;
  struct Rate {
    std::string_view figure;
    std::string_view unit;
  };
  for (const auto& [name, unit] : {Rate{"tokens_per_second", "tokens/s"}, Rate{"samples_per_second", "samples/s"},
                                   Rate{"steps_per_second", "it/s"}}) {
    const auto rate = figure(name);
    if (!rate || (!job.rate_unit.empty() && job.rate_unit != unit)) continue;
    job.rate_unit = unit;
    // Step numbers are the same on every rank.
    job.rate = unit == "it/s" ? std::max(job.rate.value_or(0), *rate) : job.rate.value_or(0) + *rate;
    break;
  }
  const auto wait = [&](double share, const std::string& rank) {
    if (job.input_wait && *job.input_wait >= share) return;
    job.input_wait = share;
    job.worst_rank = rank.empty() ? Reading<std::string>{} : Reading<std::string>{rank};
  };
  for (const auto& [rank, share] : run.waits) wait(share, rank);
  if (const auto share = figure("input_wait_ratio"); share && run.waits.empty()) wait(*share, run.rank);
  for (const auto& advice : run.advice) {
    const bool known = std::any_of(job.advice.begin(), job.advice.end(), [&](const auto& other) { return other.id == advice.id; });
    if (!known) job.advice.push_back(advice);
  }
}

void Builder::finish_jobs() {
  std::map<std::string, Job> jobs;
  for (const auto& [key, run] : runs_) {
    const auto alive = run.figures.find("alive");
    if (alive != run.figures.end() && alive->second < 0.5) continue;
    add_run(jobs[run.job], run);
  }
  std::map<std::string, std::pair<double, unsigned>> busy;
  for (const auto& gpu : fleet_.gpus) {
    for (const auto& id : gpu.jobs) {
      auto& job = jobs[id];
      ++job.gpus;
      job.wasted += gpu.wasted() ? 1 : 0;
      add_name(job.nodes, gpu.node);
      for (const auto& user : gpu.users) add_name(job.users, user);
      if (!gpu.utilization) continue;
      busy[id].first += gpu.utilization->value();
      ++busy[id].second;
    }
  }
  for (auto& [id, job] : jobs) {
    job.id = id;
    if (const auto [sum, count] = busy[id]; count > 0) job.utilization = sum / count;
    std::stable_sort(job.advice.begin(), job.advice.end(), [](const auto& a, const auto& b) { return a.level > b.level; });
    fleet_.jobs.push_back(std::move(job));
  }
}

}  // namespace gputop::fleet
