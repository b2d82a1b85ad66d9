#include "gputop/app/lens_track.hpp"

#include <algorithm>

#include "gputop/core/format.hpp"

namespace gputop {
namespace {

constexpr std::size_t kMostProcesses = 4096;

LensProcess& process_of(LensTrack& track, Instant at, std::int64_t pid) {
  const auto known = std::find_if(track.processes.rbegin(), track.processes.rend(),
                                  [&](const LensProcess& process) { return process.pid == pid; });
  if (known != track.processes.rend()) return *known;
  if (track.processes.size() == kMostProcesses) track.processes.erase(track.processes.begin());
  auto& process = track.processes.emplace_back();
  process.pid = pid;
  process.since = at;
  return process;
}

template <class T>
void replace(std::vector<Said<T>>& list, Instant at, const T& value) {
  for (auto& known : list) {
    if (known.value.id != value.id) continue;
    known = {value, at};
    return;
  }
  list.push_back({value, at});
}

template <class T>
void push(std::deque<Said<T>>& list, std::size_t most, Instant at, const T& value) {
  if (list.size() == most) list.pop_front();
  list.push_back({value, at});
}

std::string changes(const std::vector<LensChange>& applied, const std::vector<LensRefusal>& refused) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  for (const auto& change : applied) add(printable(change.name + " " + change.before + " → " + change.after));
  for (const auto& refusal : refused) add(printable(refusal.name + " not changed: " + refusal.reason));
  return text;
}

struct LensUpdater {
  LensTrack& track;
  Instant at;
  LensProcess& process;

  [[nodiscard]] std::string who() const { return "lens (pid " + std::to_string(process.pid) + "): "; }

  std::string operator()(const LensHello& hello) const {
    const bool again = process.hello.protocol != 0;  // to an engine that was restarted
    process.hello = hello;
    process.ended = false;
    if (again) return {};
    return who() + "watches PyTorch " + printable(hello.torch) + " on Python " + printable(hello.python);
  }
  std::string operator()(const LensLoader& loader) const {
    const auto known = std::find_if(process.loaders.begin(), process.loaders.end(),
                                    [&](const auto& said) { return said.value.id == loader.id; });
    const bool news = known == process.loaders.end() || known->value != loader;
    replace(process.loaders, at, loader);
    const auto text = changes(loader.applied, loader.refused);
    return news && !text.empty() ? who() + "loader " + printable(loader.site) + ": " + text : std::string{};
  }
  std::string operator()(const LensOptimizer& optimizer) const {
    replace(process.optimizers, at, optimizer);
    return {};
  }
  std::string operator()(const LensModel& model) const {
    process.model = {model, at};
    return {};
  }
  std::string operator()(const LensEnvironment& environment) const {
    process.environment = {environment, at};
    return {};
  }
  std::string operator()(const LensMemory& memory) const {
    process.memory = {memory, at};
    return {};
  }
  std::string operator()(const LensFlops& flops) const {
    process.flops = {flops, at};
    return {};
  }
  std::string operator()(const LensTick& tick) const {
    push(process.ticks, LensProcess::kTicks, at, tick);
    if (process.ticks.size() > LensProcess::kTicksWithSteps)  // single steps older than a quarter of an hour are not needed
      process.ticks[process.ticks.size() - 1 - LensProcess::kTicksWithSteps].value.sync.clear();
    if (!process.warm && tick.steps >= LensProcess::kWarmUpSteps) process.warm = {tick, at};
    if (process.warm && at - process.warm->at <= LensProcess::kEarly) process.early = {tick, at};
    return {};
  }
  std::string operator()(const LensFramework& framework) const {
    process.framework = {framework, at};
    const auto text = changes(framework.applied, framework.refused);
    return text.empty() ? std::string{} : who() + printable(framework.name) + ": " + text;
  }
  std::string operator()(const LensApplied& applied) const {
    push(track.applied, LensTrack::kAnswers, at, applied);
    if (applied.what == "loader") return {};  // the loader has reported it itself
    return who() + printable(applied.what + ": " + applied.text);
  }
  std::string operator()(const LensAck& ack) const {
    push(track.answers, LensTrack::kAnswers, at, ack);
    return who() + printable(ack.op + (ack.ok ? ": " : " refused: ") + ack.text);
  }
  std::string operator()(const LensOom& oom) const {
    track.ooms.push_back(oom);
    return who() + "out of memory in step " + std::to_string(oom.step + 1) + " (" + printable(oom.phase) + ")";
  }
  std::string operator()(const LensFault& fault) const {
    process.faults = std::max(process.faults, fault.count);
    if (fault.count < 3) return {};
    const auto line =
        fault.text.substr(std::min(fault.text.size(), fault.text.find_last_of('\n', fault.text.size() - 2) + 1));
    return who() + "switched itself off after three errors of its own, the last: " + printable(line);
  }
  std::string operator()(const LensPhase& phase) const {
    process.phase.reset();
    if (phase.seconds > 0) process.phase = {phase, at};
    return {};
  }
  std::string operator()(const LensBye&) const {
    process.ended = true;
    return {};
  }
};

}  // namespace

Reading<unsigned> LensProcess::rank() const {
  if (environment && environment->value.rank) return environment->value.rank;
  return hello.rank;
}

const Said<LensLoader>* LensProcess::training_loader() const {
  if (ticks.empty()) return nullptr;
  const LensLoaderTick* busiest = nullptr;
  for (const auto& loader : ticks.back().value.loaders) {
    if (loader.steps > 0 && (!busiest || loader.steps > busiest->steps)) busiest = &loader;
  }
  if (!busiest) return nullptr;
  const auto found =
      std::find_if(loaders.begin(), loaders.end(), [&](const auto& said) { return said.value.id == busiest->id; });
  return found == loaders.end() ? nullptr : &*found;
}

Reading<bool> LensProcess::validates() const {
  if (ticks.size() < 2) return std::nullopt;
  const auto& before = ticks[ticks.size() - 2].value.loaders;
  Reading<bool> validates;
  for (const auto& now : ticks.back().value.loaders) {
    const auto old = std::find_if(before.begin(), before.end(), [&](const auto& each) { return each.id == now.id; });
    if (old != before.end() && old->drawn() >= now.drawn()) continue;
    if (now.steps > 0) return false;  // with accumulation, not every batch makes one
    validates = true;
  }
  // No training happened yet: a look at a few batches beforehand is just as likely.
  return ticks.back().value.steps > 0 ? validates : std::nullopt;
}

Reading<LensProcess::Span> LensProcess::span(unsigned loader, Instant from) const {
  const auto counts = [&](const Said<LensTick>& tick) -> const LensLoaderTick* {
    for (const auto& known : tick.value.loaders) {
      if (known.id == loader) return &known;
    }
    return nullptr;
  };
  if (ticks.empty()) return std::nullopt;
  const auto* last = counts(ticks.back());
  if (!last) return std::nullopt;
  const auto begin = std::partition_point(ticks.begin(), ticks.end(), [&](const auto& tick) { return tick.at < from; });
  for (auto it = begin; it != ticks.end(); ++it) {
    const auto& tick = *it;
    const auto* first = counts(tick);
    if (!first || first->batches > last->batches) continue;  // a forked process starts from zero
    const auto steps = ticks.back().value.steps;
    return Span{*first, *last, steps - std::min(steps, tick.value.steps), ticks.back().at - tick.at, ticks.back().at};
  }
  return std::nullopt;
}

const LensProcess* LensTrack::main() const {
  const LensProcess* found = nullptr;
  for (const auto& process : processes) {
    const bool trains = !process.ticks.empty() && process.ticks.back().value.steps > 0;
    const auto better = [&] {
      if (!found) return true;
      if (process.rank() && found->rank() && process.rank() != found->rank()) return process.rank() < found->rank();
      return trains && (found->ticks.empty() || found->ticks.back().value.steps == 0);
    };
    if (better()) found = &process;
  }
  return found;
}

std::string update(LensTrack& track, Instant at, std::int64_t pid, const LensMessage& message) {
  auto& process = process_of(track, at, pid);
  process.heard = at;
  return std::visit(LensUpdater{track, at, process}, message);
}

}  // namespace gputop
