#include "gputop/app/alarm.hpp"

#include <algorithm>
#include <array>

namespace gputop {
namespace {

bool is_out_of_memory(EndKind kind) {
  return kind == EndKind::kGpuOom || kind == EndKind::kHostOom;
}

std::optional<Alarm> alarm_of(const Advised& advised, const Model& model) {
  if (advised.kind != Advised::Kind::kAppeared) return std::nullopt;
  const bool ended = model.run && model.run->end;
  if (advised.id == "gpu_oom" || advised.id == "host_oom") {
    if (ended) return std::nullopt;  // the alarm about its end said so
    return Alarm{"out_of_memory", advised.title};
  }
  if (advised.id == "stalled") return Alarm{"stalled", advised.title};
  const bool lost = std::any_of(model.gpus.begin(), model.gpus.end(),
                                [](const GpuTrack& track) { return track.now.state == GpuState::kLost; });
  if (advised.id == "gpu_fault" && lost) return Alarm{"gpu_lost", advised.title};
  return std::nullopt;
}

}  // namespace

std::optional<Alarm> alarm_of(const Event& event, const Model& model) {
  if (const auto* advised = std::get_if<Advised>(&event.payload)) return alarm_of(*advised, model);
  const auto* ended = std::get_if<RunEnded>(&event.payload);
  if (ended == nullptr || !model.run) return std::nullopt;
  const bool oom = is_out_of_memory(model.run->log.end().kind);
  return Alarm{oom ? "out_of_memory" : "run_ended",
               model.run->started.name + (oom ? " is out of memory: " : " ") + ended->text};
}

}  // namespace gputop
