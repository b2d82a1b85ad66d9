// Recordings of real PyTorch runs, listened to as `gputop advise` does.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "gputop/app/gather_facts.hpp"
#include "gputop/store/recording_reader.hpp"
#include "traces/trace.hpp"

namespace gputop::traces {
namespace {

Result<Played> listen(const std::string& name) {
  auto reader = RecordingReader::open(std::string{RECORDED_DIR} + "/" + name + ".gputop");
  if (!reader) return reader.error();
  Model model;
  while (const auto* event = reader->next()) update(model, *event);
  Played played;
  played.facts = gather_facts(model);
  Advisor advisor;
  advisor.conclude(played.facts);
  played.advice = advisor.advice();
  return played;
}

std::set<std::string> ids_in(const std::string& list) {
  std::set<std::string> ids;
  std::istringstream words{list};
  for (std::string id; std::getline(words, id, ',');) {
    if (id != "-") ids.insert(id);
  }
  return ids;
}

// Whether a run has the settings that were advised.
bool has(const Facts& facts, const std::vector<Change>& changes) {
  const auto is = [](const auto& setting, const std::string& value) {
    return setting && std::to_string(setting->value) == value;
  };
  return !changes.empty() && std::all_of(changes.begin(), changes.end(), [&](const Change& change) {
    const auto& [knob, from, to] = change;
    const auto& now = facts.settings;
    return knob == "workers"           ? is(now.workers, to)
           : knob == "prefetch"        ? is(now.prefetch, to)
           : knob == "batch_size"      ? is(now.batch_size, to)
           : knob == "OMP_NUM_THREADS" ? is(now.threads, to)
                                       : false;
  });
}

}  // namespace

std::vector<Recorded> recorded(std::vector<std::string>& problems) {
  std::vector<Recorded> all;
  std::ifstream table{std::string{RECORDED_DIR} + "/runs.txt"};
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words{line};
    std::string name;
    std::string truth;
    std::string end;
    std::string after;
    if (!(words >> name >> truth >> end >> after)) {
      problems.push_back("runs.txt: not a run: " + line);
      continue;
    }
    if (truth == "?") continue;
    auto played = listen(name);
    if (!played) {
      problems.push_back(name + ": " + played.error().message);
      continue;
    }
    Recorded run{.trace = {.name = "PyTorch " + name, .kind = name, .truth = ids_in(truth)},
                 .end = end,
                 .played = *std::move(played)};
    run.trace.depth = run.played.facts.depth;
    if (after != "-") {
      auto changed = listen(after);
      const auto& findings = run.played.advice.findings;
      if (!changed) {
        problems.push_back(after + ": " + changed.error().message);
      } else if (findings.empty() || !has(changed->facts, findings.front().changes)) {
        problems.push_back(name + ": " + after + " does not have the change that is advised: " +
                           (findings.empty() ? "none" : changes_in_words(findings.front().changes)));
      } else {
        run.changed = *std::move(changed);
      }
    }
    all.push_back(std::move(run));
  }
  if (all.empty()) problems.emplace_back("pytorch/runs.txt lists no run");
  return all;
}

Verdict judge(const Recorded& recorded) {
  auto verdict = judge(recorded.trace, recorded.played);
  if (!recorded.changed) return verdict;
  const auto& finding = recorded.played.advice.findings.front();
  const auto& before = recorded.played.facts.step.samples_per_second;
  const auto& after = recorded.changed->facts.step.samples_per_second;
  if (finding.speedup && before && after)
    verdict.applied.push_back({finding.id, *finding.speedup, after->value / before->value});
  return verdict;
}

}  // namespace gputop::traces
