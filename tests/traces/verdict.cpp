// Is it right, is it quiet on the healthy, and what would its changes really do?
#include <algorithm>
#include <charconv>

#include "traces/trace.hpp"

namespace gputop::traces {
namespace {

double number_in(const std::string& text, double otherwise) {
  double value = otherwise;
  const auto begin = text.starts_with("×") ? std::string_view{"×"}.size() : 0;
  std::from_chars(text.data() + begin, text.data() + text.size(), value);
  return value;
}

// False: the simulator has no such knob.
bool apply(const Change& change, SimRunConfig& run) {
  const auto to = change.to;
  if (change.knob == "batch_size") {
    run.batch_size =
        static_cast<unsigned>(to.starts_with("×") ? run.batch_size * number_in(to, 1) : number_in(to, run.batch_size));
  } else if (change.knob == "accumulation") {
    run.accumulation = static_cast<unsigned>(number_in(to, run.accumulation));
  } else if (change.knob == "workers") {
    run.workers = static_cast<unsigned>(number_in(to, run.workers));
  } else if (change.knob == "prefetch") {
    run.prefetch = static_cast<unsigned>(number_in(to, run.prefetch));
  } else if (change.knob == "pin_memory") {
    run.pin_memory = to == "true";
  } else if (change.knob == "persistent_workers") {
    run.persistent_workers = to == "true";
  } else if (change.knob == "tf32") {
    run.precision = SimPrecision::kTf32;
  } else if (change.knob == "precision") {
    run.precision = *parse_sim_precision(to);
  } else {
    return change.knob == "learning_rate" || change.knob == "OMP_NUM_THREADS";
  }
  return true;
}

std::optional<double> real_speedup(const SimSetup& setup, const Finding& finding) {
  auto run = setup.run;
  for (const auto& change : finding.changes) {
    if (!apply(change, run)) return std::nullopt;
  }
  const Watts budget = setup.card.power_limit * setup.power_share;
  const auto speed = [&](const SimRunConfig& config) {
    std::vector<SimTask> tasks{{.config = config}};
    if (setup.neighbour) tasks.insert(tasks.begin(), SimTask{.config = *setup.neighbour});
    return simulate_card(setup.card, tasks, budget).runs.back().samples_per_second;
  };
  return speed(run) / speed(setup.run);
}

}  // namespace

Verdict judge(const Trace& trace, const Played& played) {
  Verdict verdict;
  const auto& findings = played.advice.findings;
  if (!findings.empty()) verdict.first = findings.front().id;
  verdict.right = trace.truth.empty() ? findings.empty() : trace.truth.contains(verdict.first);
  const bool healthy = trace.truth.empty() || trace.truth.contains("healthy");
  verdict.false_alarm = healthy && std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
                          return finding.severity != Severity::kInfo || !finding.changes.empty();
                        });
  if (!trace.setup) return verdict;
  for (const auto& finding : findings) {
    if (finding.changes.empty() || !finding.speedup) continue;
    if (const auto real = real_speedup(*trace.setup, finding))
      verdict.applied.push_back({finding.id, *finding.speedup, *real});
  }
  return verdict;
}

void Score::add(const Trace& trace, const Verdict& verdict) {
  ++count;
  if (verdict.right) {
    ++right;
  } else {
    std::string wanted;
    for (const auto& id : trace.truth) wanted += (wanted.empty() ? "" : "|") + id;
    misses.push_back(trace.name + ": wanted " + (wanted.empty() ? "silence" : wanted) + ", got " +
                     (verdict.first.empty() ? "silence" : verdict.first));
  }
  const bool is_healthy = trace.truth.empty() || trace.truth.contains("healthy");
  if (is_healthy) ++healthy;
  if (verdict.false_alarm) ++false_alarms;
  for (const auto& applied : verdict.applied) {
    ++changes;
    if (applied.inside()) ++inside;
    const auto figures = " ×" + std::to_string(applied.real) + ", stated " + std::to_string(applied.stated.low) + "–" +
                         std::to_string(applied.stated.high);
    if (applied.harmful()) {
      ++harmful;
      misses.push_back(trace.name + ": harmful: " + applied.id + figures);
    } else if (!applied.inside()) {
      misses.push_back(trace.name + ": outside: " + applied.id + figures);
    }
  }
}

}  // namespace gputop::traces
