#include "gputop/app/gather_facts.hpp"

#include <algorithm>

namespace gputop {
namespace {

// Before there is this much to look at, means are accidents.
constexpr std::size_t kFewestReadings = 5;
constexpr Duration kYoung = std::chrono::seconds{15};

EndFacts end_facts(const RunTrack& run) {
  EndFacts end;
  if (!run.end) return end;
  end.exit_code = run.end->exit_code;
  end.signal = run.end->signal;
  end.detail = run.end->text;
  end.kind = run.end->signal           ? EndKind::kKilled
             : !run.end->exit_code     ? EndKind::kUnknown
             : *run.end->exit_code == 0 ? EndKind::kFinished
                                        : EndKind::kFailed;
  return end;
}

}  // namespace

Facts gather_facts(const Model& model) {
  Facts facts;
  facts.now = model.now;
  facts.window = kFactsWindow;
  facts.simulated = model.simulated;
  facts.has_run = model.run.has_value();
  facts.depth = facts.has_run ? Depth::kOutput : Depth::kGpuOnly;
  facts.gpus = gpu_facts(model, kFactsWindow);
  facts.host = host_facts(model, kFactsWindow);
  std::size_t readings = 0;
  for (const auto& track : model.gpus) readings = std::max(readings, track.samples.all().size());
  facts.age = model.now.time_since_epoch();
  if (model.run) {
    facts.age = model.run->age(model.now);
    facts.end = end_facts(*model.run);
    if (!model.run->end) facts.silent_for = model.now - std::max(model.run->last_output, model.run->since);
  }
  facts.steady = facts.age >= kYoung && (readings >= kFewestReadings || model.gpus.empty());
  return facts;
}

}  // namespace gputop
