#include "gputop/viewer/run_list.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "gputop/core/format.hpp"
#include "gputop/core/secrets.hpp"
#include "gputop/report/estimate.hpp"
#include "gputop/run/run_dir.hpp"
#include "gputop/stream/ended_runs.hpp"
#include "gputop/stream/job_files.hpp"

namespace gputop {
namespace {

constexpr std::size_t kMostEnded = 50;

Duration age_of(WallTime started) {
  const auto age = std::chrono::system_clock::now() - started;
  return std::max<Duration>(Duration{},
                            std::chrono::duration_cast<Duration>(age));  // the clock may have been set back
}

// "running", "running (asked to end by gputop stop)", …
std::string state_of(const run::ListedRun& run) {
  const std::string state = to_string(run.state);
  return run.record.ended_by.empty() ? state : state + " (asked to end by " + run.record.ended_by + ")";
}

std::string command_of(const std::vector<std::string>& argv) {
  std::string command;
  for (const auto& word : mask_arguments(argv)) command += (command.empty() ? "" : " ") + word;
  return printable(command);
}

nlohmann::ordered_json text_or_null(const std::string& text) {
  return text.empty() ? nlohmann::ordered_json{} : nlohmann::ordered_json(text);
}

nlohmann::ordered_json json_of(const run::ListedRun& run) {
  const auto& record = run.record;
  return {{"id", record.id},
          {"name", record.name},
          {"state", to_string(run.state)},
          {"started", format_wall(record.started)},
          {"age_seconds", std::chrono::duration_cast<std::chrono::seconds>(age_of(record.started)).count()},
          {"directory", record.cwd},
          {"argv", mask_arguments(record.argv)},
          {"ended_by", text_or_null(record.ended_by)},
          {"pid", record.job.pid},
          {"gputop_pids",
           {{"holder", record.holder.pid},
            {"spare", record.spare.pid},
            {"keeper", record.keeper.pid},
            {"engine", record.engine.pid}}}};
}

nlohmann::ordered_json json_of(const EndedRun& run) {
  return {{"id", run.run.id},
          {"name", run.run.name},
          {"state", "ended"},
          {"started", format_wall(run.began)},
          {"lasted_seconds", run.lasted ? nlohmann::ordered_json(to_seconds(*run.lasted)) : nlohmann::ordered_json{}},
          {"directory", run.run.directory},
          {"argv", mask_arguments(run.run.argv)},
          {"end", text_or_null(run.how)},
          {"recording", run.recording}};
}

// Slurm's states of this user's jobs, by id; empty without Slurm.
std::map<std::string, std::string> slurm_states() {
  std::map<std::string, std::string> states;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> answer{
      ::popen("command -v squeue >/dev/null 2>&1 && squeue --noheader --user=\"$(id -un)\" --format='%i %T' 2>/dev/null", "re"), ::pclose};
  std::array<char, 64> id{};
  std::array<char, 64> state{};
  while (answer && std::fscanf(answer.get(), "%63s %63s", id.data(), state.data()) == 2) states[id.data()] = state.data();
  for (auto& [name, words] : states) std::transform(words.begin(), words.end(), words.begin(), [](unsigned char c) { return std::tolower(c); });
  return states;
}

struct ListedJob {
  RecordedJob job;
  std::string state;  // "": Slurm no longer knows it
};

// The live ones; with --all, all that were recorded.
std::vector<ListedJob> slurm_jobs(bool all) {
  constexpr std::size_t kMostRecordings = 2000;
  std::vector<ListedJob> listed;
  const auto states = slurm_states();
  if (states.empty() && !all) return listed;
  for (auto& job : recorded_jobs(kMostRecordings)) {
    const auto state = states.find(job.id);
    if (state != states.end() || all) listed.push_back({std::move(job), state == states.end() ? "" : state->second});
  }
  return listed;
}

}  // namespace

std::string run_list(bool all, bool json) {
  const auto roots = run::runtime_roots();
  const auto runs = run::list_runs(roots);
  const auto ended = all ? ended_runs(kMostEnded) : std::vector<EndedRun>{};
  if (json) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& run : runs) list.push_back(json_of(run));
    for (const auto& run : ended) list.push_back(json_of(run));
    auto jobs = nlohmann::ordered_json::array();
    for (const auto& [job, state] : slurm_jobs(all))
      jobs.push_back({{"id", job.id}, {"launcher", "slurm"}, {"state", text_or_null(state)}, {"recordings", job.recordings}, {"nodes", job.nodes}});
    const nlohmann::ordered_json whole{{"schema", "gputop.runs/1"}, {"runs", list}, {"jobs", jobs}};
    return harmless_json(whole.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) + "\n";
  }
  std::vector<std::vector<std::string>> rows{{"ID", "NAME", "STATE", "AGE", "DIRECTORY", "COMMAND"}};
  for (const auto& run : runs) {
    rows.push_back({run.record.id, printable(run.record.name), state_of(run), format_duration(age_of(run.record.started)),
                    printable(run.record.cwd), command_of(run.record.argv)});
  }
  for (const auto& run : ended) {
    std::string state = "ended " + format_wall(run.began).substr(0, 10);
    if (run.lasted) state += " after " + format_duration(*run.lasted);
    if (!run.how.empty()) state += ": " + run.how;
    rows.push_back({run.run.id, printable(run.run.name), printable(state), format_duration(age_of(run.began)),
                    printable(run.run.directory), command_of(run.run.argv)});
  }
  std::string text = rows.size() == 1 ? "" : aligned(rows);
  std::vector<std::vector<std::string>> jobs{{"SLURM JOB", "STATE", "RECORDINGS", "NODES"}};
  for (const auto& [job, state] : slurm_jobs(all)) {
    std::string nodes;
    for (const auto& node : job.nodes) nodes += (nodes.empty() ? "" : ",") + printable(node);
    jobs.push_back({printable(job.id), state.empty() ? "over" : state, std::to_string(job.recordings), nodes});
  }
  if (jobs.size() > 1) text += (text.empty() ? "" : "\n") + aligned(jobs);
  for (const auto& id : run::foreign_runs(roots)) text += printable(id) + "  started by another version of gputop\n";
  if (!text.empty()) return text;
  return all ? "no runs\n" : "no runs (--all also lists finished ones)\n";
}

}  // namespace gputop
