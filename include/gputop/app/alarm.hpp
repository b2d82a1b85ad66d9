// What a user who looks elsewhere wants to be told: a run ended, ran out of memory or stalled; a GPU was lost. Pure.
#pragma once

#include <optional>
#include <string>

#include "gputop/app/model.hpp"

namespace gputop {

struct Alarm {
  std::string kind;  // "run_ended", "out_of_memory", "stalled", "gpu_lost": a name for scripts
  std::string text;  // for people: "train.py exited with code 1"
  bool operator==(const Alarm&) const = default;
};

// `model` already includes the event. Nothing for any other event.
std::optional<Alarm> alarm_of(const Event& event, const Model& model);

}  // namespace gputop
