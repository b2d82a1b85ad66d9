#include "gputop/advisor/advisor.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "advisor/custom_rule.hpp"
#include "advisor/ranking.hpp"
#include "advisor/rules.hpp"
#include "advisor/stillness.hpp"
#include "gputop/advisor/rules.hpp"

namespace gputop {
namespace {

constexpr Duration kSameLaunch = std::chrono::seconds{2};  // readings and starts are stamped by different clocks

// It saves energy rather than time.
bool saves_energy(const Finding& finding) {
  return finding.id == "power_saving";
}

// Something is wrong, or there is something to do.
bool is_trouble(const Finding& finding) {
  return finding.severity != Severity::kInfo || (!finding.changes.empty() && !saves_energy(finding));
}

// A change without an expected gain is not advice. The rest of the finding stays.
void drop_empty_promise(std::optional<Finding>& finding) {
  constexpr double kSomething = 1.02;
  if (!finding || finding->changes.empty() || !finding->speedup || saves_energy(*finding) || finding->speedup->high >= kSomething) return;
  const bool only_option = finding->severity == Severity::kInfo && finding->action.empty();
  if (only_option) {
    finding.reset();
    return;
  }
  for (const auto& change : finding->changes)
    finding->vetoes.push_back({change.knob, "no gain is expected: the time goes elsewhere"});
  finding->changes.clear();
  finding->speedup.reset();
  finding->busy.reset();
  finding->then.clear();
}

// Mentions readings that were excluded once, where they would have counted.
void mention_sensor_errors(const Facts& facts, Finding& finding) {
  for (const auto& gpu : facts.gpus) {
    if (gpu.sensor_errors == 0) continue;
    finding.evidence.push_back({"sensor_errors", static_cast<double>(gpu.sensor_errors), "readings"});
    finding.why += "; " + std::to_string(gpu.sensor_errors) +
                   (gpu.sensor_errors == 1 ? " reading was a sensor error" : " readings were sensor errors") +
                   " and left out";
    if (!gpu.sensor_error.empty()) finding.why += " (" + gpu.sensor_error + ")";
    return;
  }
}

// Each change is offered once, by the first finding that has it.
void drop_repeated_changes(std::vector<Finding>& findings) {
  for (std::size_t i = 1; i < findings.size(); ++i) {
    const auto end = findings.begin() + static_cast<std::ptrdiff_t>(i);
    const bool repeated = std::any_of(findings.begin(), end, [&](const Finding& before) {
      return !before.changes.empty() && before.changes == findings[i].changes;
    });
    if (!repeated) continue;
    findings[i].changes.clear();
    findings[i].speedup.reset();
    findings[i].busy.reset();
    findings[i].run_time.reset();
    findings[i].then.clear();
  }
}

// A busy GPU that is held back by heat, its power limit or a fault is not healthy: report that instead.
void say_what_holds_the_gpu(Advice& advice) {
  constexpr std::array kHolds{"gpu_fault", "thermal_throttle", "power_cap", "clock_drop"};
  if (advice.findings.empty() || advice.diagnosis.bottleneck != StepPart::kGpuCompute) return;
  const auto& first = advice.findings.front();
  const bool holds = std::find(kHolds.begin(), kHolds.end(), first.id) != kHolds.end();
  if (holds && first.severity != Severity::kInfo) advice.diagnosis.verdict = first.title;
}

// How the changes affect the duration of the whole run.
std::optional<RunTime> run_time(const Facts& facts, const Finding& finding) {
  const auto& now = facts.step.run_time;
  if (!now || !finding.speedup || finding.speedup->low <= 0) return std::nullopt;
  const double seconds = to_seconds(now->value);
  return RunTime{now->value, from_seconds(seconds / finding.speedup->high),
                 from_seconds(seconds / finding.speedup->low)};
}

}  // namespace

void Advisor::observe(const Facts& facts) {
  look(facts, {.hold = from_seconds(settings_.thresholds.hold),
               .release = from_seconds(settings_.thresholds.release),
               .warm_up = from_seconds(settings_.thresholds.warm_up)});
}

void Advisor::conclude(const Facts& facts) {
  look(facts, {.at_once = true});
}

void Advisor::look(const Facts& facts, const Patience& patience) {
  const auto& limits = settings_.thresholds;
  forget_an_earlier_launch(facts);
  const bool warm = facts.steady && facts.age >= patience.warm_up;
  advice_.warming_up = !warm;
  const bool over = facts.end.kind != EndKind::kRunning;
  if (facts.in_validation && !over) return;  // a pause says nothing about training
  advice_.diagnosis = diagnose(facts, limits);
  advice_.signs = signs(facts, advice_.diagnosis, settings_);
  const StepModel model{facts, advice_.diagnosis, limits};
  const auto choices = options(facts, advice_.diagnosis, model, limits);
  bool troubled = false;
  const bool still = stands_still(facts, limits);  // earlier findings no longer hold then
  const auto consider = [&](const std::string& id, bool may_speak, Duration hold, const auto& rule) {
    const auto state = states_.find(id);
    const bool shown = state != states_.end() && state->second.shown;
    std::optional<Finding> found;
    if (may_speak && !settings_.off.contains(id)) {
      found = rule(Situation{facts, limits, advice_.diagnosis, model, troubled, shown});
    }
    drop_empty_promise(found);
    if (found && is_trouble(*found)) troubled = true;
    judge(id, std::move(found), {.hold = patience.at_once ? Duration{} : hold, .release = still ? Duration{} : patience.release},
          facts.now);
  };
  const auto entries = all_rules();
  const auto functions = rule_functions();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const bool now = entries[i].failure || over;
    // What was measured before the run stalled says nothing about now.
    const bool holds = !still || entries[i].id == "stalled";
    consider(std::string{entries[i].id}, (warm && holds) || entries[i].failure, now ? Duration{} : patience.hold,
             functions[i]);
  }
  for (const auto& rule : settings_.custom) {
    consider(rule.id, true, rule.hold, [&](const Situation& s) { return apply(rule, s); });
  }
  publish();
  say_what_holds_the_gpu(advice_);
  offer(choices, warm, patience, facts.now);
  for (auto& finding : advice_.findings) finding.run_time = run_time(facts, finding);
  if (!advice_.findings.empty()) mention_sensor_errors(facts, advice_.findings.front());
}

// Recomputed only when a finding could have come or gone, so they stay stable and follow the necessary changes.
void Advisor::offer(const std::vector<Option>& choices, bool warm, const Patience& patience, Instant now) {
  if (!warm) {
    offered_.reset();
    advice_.options.clear();
    return;
  }
  if (!offered_) offered_ = now;
  if (now - *offered_ < patience.hold) return;
  offered_ = now;
  advice_.options = choices;
  // These changes use the remaining capacity.
  const bool changes = std::any_of(advice_.findings.begin(), advice_.findings.end(),
                                   [](const Finding& finding) { return !finding.changes.empty(); });
  if (changes) std::erase_if(advice_.options, [](const Option& option) { return option.id == "room_left"; });
}

// Findings about a run do not apply to its next launch, which has other settings.
void Advisor::forget_an_earlier_launch(const Facts& facts) {
  if (facts.end.kind != EndKind::kRunning) return;  // its age no longer changes
  const Instant began = facts.now - facts.age;
  if (began_ && began - *began_ > kSameLaunch) {
    if (!advice_.findings.empty()) ++advice_.revision;
    states_.clear();
    offered_.reset();
    advice_.options.clear();
  }
  began_ = began;
}

void Advisor::judge(const std::string& id, std::optional<Finding> found, const Patience& patience, Instant now) {
  auto& state = states_[id];
  if (!found) {
    state.since.reset();
    state.other_since.reset();
    if (!state.shown) return;
    if (!state.gone) state.gone = now;
    if (now - *state.gone < patience.release) return;
    state.shown.reset();
    state.gone.reset();
    ++advice_.revision;
    return;
  }
  state.gone.reset();
  if (!state.since) state.since = now;
  if (!state.shown) {
    if (now - *state.since < patience.hold) return;
    state.shown = std::move(found);
    ++advice_.revision;
    return;
  }
  // Figures may change; the wanted change stays until a new one has lasted.
  if (found->changes != state.shown->changes) {
    if (!state.other_since) state.other_since = now;
    if (now - *state.other_since < patience.hold) {
      found->changes = state.shown->changes;
      found->speedup = state.shown->speedup;
      found->busy = state.shown->busy;
      found->then = state.shown->then;
    } else {
      state.other_since.reset();
      ++advice_.revision;
    }
  } else {
    state.other_since.reset();
  }
  state.shown = std::move(found);
}

void Advisor::publish() {
  const std::string first = advice_.findings.empty() ? "" : advice_.findings.front().id;
  advice_.findings.clear();
  for (const auto& [id, state] : states_) {
    if (state.shown) advice_.findings.push_back(*state.shown);
  }
  // What is shown may be about to disappear: nothing counts as healthy until then.
  const bool trouble = std::any_of(advice_.findings.begin(), advice_.findings.end(), is_trouble);
  if (trouble) std::erase_if(advice_.findings, [](const Finding& finding) { return finding.id == "healthy"; });
  rank(advice_.findings, advice_.diagnosis, first);
  drop_repeated_changes(advice_.findings);
}

}  // namespace gputop
