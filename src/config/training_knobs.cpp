#include "config/training_knobs.hpp"

#include <array>

#include "gputop/knobs/finder.hpp"

namespace gputop {
namespace {

struct ConfigName {
  std::string_view knob;
  std::string_view key;  // the estimator's, or what `show` calls it
};
constexpr std::array<ConfigName, 11> kConfigNames{{{"batch_size", "batch"},
                                                   {"accumulation", "accumulation"},
                                                   {"precision", "precision"},
                                                   {"checkpointing", "checkpointing"},
                                                   {"optimizer", "optimizer"},
                                                   {"learning_rate", "lr"},
                                                   {"workers", "workers"},
                                                   {"prefetch", "prefetch"},
                                                   {"pin_memory", "pin-memory"},
                                                   {"persistent_workers", "persistent-workers"},
                                                   {"compile", "compile"}}};

}  // namespace

TrainingFile parse_training_knobs(std::string_view text, const std::string& file, const knobs::KnobTable& table) {
  TrainingFile result;
  const std::array files{knobs::SourceFile{file, std::string{text}}};
  const auto found = knobs::find_knobs(table, {.argv = {"train", "--config", file}, .environment = {}}, files, {});
  for (const auto& problem : found.problems) result.problems.push_back({file, 0, problem});
  for (const auto& [knob, key] : kConfigNames) {
    bool taken = false;
    for (const auto* candidate : knobs::candidates_of(found, knob)) {
      const auto& place = candidate->place;
      if (place.kind != knobs::Place::Kind::kFile || place.how == knobs::Place::How::kAbsent) continue;
      const auto value = knobs::to_text(candidate->value);
      const auto* request = find_request_key(key);
      const bool used = !taken && request != nullptr && !request->read(value, result.request);
      taken = taken || used;
      result.settings.push_back({std::string{key}, place.key, knobs::to_text(candidate->found), place.line, used});
    }
  }
  return result;
}

}  // namespace gputop
