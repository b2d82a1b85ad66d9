#include "gputop/app/advise.hpp"

#include <algorithm>

#include "gputop/app/gather_facts.hpp"

namespace gputop {
namespace {

constexpr Duration kPace = std::chrono::seconds{1};
constexpr Duration kMachinePace = std::chrono::seconds{2};  // nobody waits for advice when nothing runs

bool is_reading(const Event& event, const Model& model) {
  if (std::holds_alternative<GpusSampled>(event.payload)) return true;
  return model.gpus.empty() && std::holds_alternative<HostSampled>(event.payload);
}

const Finding* find(const std::vector<Finding>& findings, std::string_view id) {
  const auto found =
      std::find_if(findings.begin(), findings.end(), [&](const Finding& finding) { return finding.id == id; });
  return found == findings.end() ? nullptr : &*found;
}

Advised as_event(Advised::Kind kind, const Finding& finding) {
  Advised event{.kind = kind,
                .id = finding.id,
                .severity = std::string{to_string(finding.severity)},
                .title = finding.title,
                .why = finding.why,
                .changes = {},
                .speedup_low = {},
                .speedup_high = {},
                .confidence = finding.confidence};
  for (const auto& change : finding.changes) event.changes.push_back({change.knob, change.from, change.to});
  if (finding.speedup) {
    event.speedup_low = finding.speedup->low;
    event.speedup_high = finding.speedup->high;
  }
  return event;
}

}  // namespace

void advise(Model& model, const Event& event) {
  auto& advice = model.advice;
  const bool ended = std::holds_alternative<RunEnded>(event.payload);
  // A little less than the pace, so a tick that comes early still counts.
  const bool due = !advice.asked || model.now - *advice.asked >= (model.run ? kPace : kMachinePace) * 9 / 10;
  if (!ended && !(due && is_reading(event, model))) return;
  advice.asked = model.now;
  advice.facts = gather_facts(model);
  advice.advisor.observe(advice.facts);
}

std::vector<Advised> advice_news(const std::vector<Finding>& before, const std::vector<Finding>& now) {
  std::vector<Advised> news;
  for (const auto& finding : now) {
    const auto* old = find(before, finding.id);
    if (old == nullptr) {
      news.push_back(as_event(Advised::Kind::kAppeared, finding));
    } else if (old->changes != finding.changes) {
      news.push_back(as_event(Advised::Kind::kChanged, finding));
    }
  }
  for (const auto& finding : before) {
    if (find(now, finding.id) == nullptr) news.push_back(as_event(Advised::Kind::kWithdrawn, finding));
  }
  return news;
}

}  // namespace gputop
