#include <cmath>
#include <nlohmann/json.hpp>

#include "gputop/core/format.hpp"
#include "gputop/report/estimate.hpp"
#include "report/cards_text.hpp"
#include "report/rehearsal_text.hpp"

namespace gputop {
namespace {

using Json = nlohmann::ordered_json;

double tenths(double value) {
  return std::round(value * 10) / 10;
}

Json components_json(const std::optional<MemoryEstimate>& memory) {
  const bool known = memory && memory->parts;
  const auto part = [&](Bytes MemoryParts::*member) {
    return known ? Json((*memory->parts.*member).value()) : Json(nullptr);
  };
  return {{"parameters_bytes", part(&MemoryParts::parameters)}, {"gradients_bytes", part(&MemoryParts::gradients)},
          {"optimizer_bytes", part(&MemoryParts::optimizer)},   {"activations_bytes", part(&MemoryParts::activations)},
          {"batch_bytes", part(&MemoryParts::batch)},           {"overhead_bytes", part(&MemoryParts::overhead)}};
}

// The contract's fields, then how sure and why.
Json choice_json(const std::optional<BatchChoice>& choice) {
  if (!choice) return nullptr;
  return {{"batch_size", choice->batch},
          {"accumulation", choice->accumulation},
          {"total_bytes", choice->memory.total.value()},
          {"memory_percent", tenths(choice->memory_percent)},
          {"error_percent", tenths(100 * choice->memory.error)},
          {"note", choice->note.empty() ? Json(nullptr) : Json(choice->note)}};
}

Json named_json(const Estimate& estimate, const BatchChoice& choice) {
  Json json = {{"name", choice.name}};
  json.update(choice_json(choice));
  const auto speed = speed_of(estimate, choice);
  json["expected_speedup"] =
      speed ? Json({std::round(speed->low * 100) / 100, std::round(speed->high * 100) / 100}) : Json(nullptr);
  return json;
}

Json models_json(const Estimate& estimate) {
  Json list = Json::array();
  for (const auto& choice : estimate.models) {
    Json json = {{"name", choice.name}};
    json.update(choice_json(choice));
    list.push_back(std::move(json));
  }
  return list;
}

Json phases_json(const std::optional<MemoryEstimate>& memory) {
  if (!memory) return nullptr;
  return {{"forward_backward_bytes", memory->forward_backward.value()},
          {"optimizer_step_bytes", memory->optimizer_step.value()},
          {"validation_bytes", memory->validation.value()},
          {"peak", to_string(memory->peak)}};
}

Json stage_json(const StageEstimate& stage) {
  return {{"name", printable(stage.name)},
          {"batch_size", stage.batch ? Json(*stage.batch) : Json(nullptr)},
          {"total_bytes", stage.memory ? Json(stage.memory->total.value()) : Json(nullptr)},
          {"error_percent", stage.memory ? Json(tenths(100 * stage.memory->error)) : Json(nullptr)},
          {"best", choice_json(stage.best)},
          {"room", stage.room.empty() ? Json(nullptr) : Json(stage.room)}};
}

Json gpu_json(const Estimate& estimate) {
  if (!estimate.gpu) return nullptr;
  return {{"name", printable(estimate.gpu->name)},
          {"memory_bytes", estimate.gpu->memory.value()},
          {"free_bytes", estimate.gpu->free.value()},
          {"margin", estimate.limits.margin}};
}

}  // namespace

std::string estimate_json(const Estimate& estimate, const CardComparison& cards) {
  const auto& stated = estimate.stated;
  Json alternatives = Json::array();
  for (const auto& choice : estimate.alternatives) alternatives.push_back(named_json(estimate, choice));
  Json stages = Json::array();
  for (const auto& stage : estimate.stages) stages.push_back(stage_json(stage));
  Json steps = Json::array();
  for (const auto& step : estimate.steps) steps.push_back(choice_json(step));
  const Json json = {
      {"schema", "gputop.estimate/1"},
      {"level", to_string(estimate.model.level)},
      {"components", components_json(stated)},
      {"total_bytes", stated ? Json(stated->total.value()) : Json(nullptr)},
      {"error_percent", stated ? Json(tenths(100 * stated->error)) : Json(nullptr)},
      {"budget_bytes", estimate.gpu ? Json(budget(estimate.limits).value()) : Json(nullptr)},
      {"best", choice_json(estimate.best)},
      {"alternatives", alternatives},
      {"stages", stages},
      {"batch_size", stated ? Json(stated->batch) : Json(nullptr)},
      {"per_sample_bytes", std::llround(estimate.model.sample.activations + estimate.model.sample.batch)},
      {"phases", phases_json(stated)},
      {"steps", steps},
      {"naive_bytes", estimate.naive ? Json(estimate.naive->value()) : Json(nullptr)},
      {"gpu", gpu_json(estimate)},
      {"models", models_json(estimate)},
      {"verdict", memory_verdict(estimate).empty() ? Json(nullptr) : Json(memory_verdict(estimate))},
      {"needed", cards.needed.empty() ? Json(nullptr) : Json(cards.needed)},
      {"cards", cards_json(cards)},
      {"why", estimate.model.why},
      {"notes", estimate.notes},
      {"rehearsal", rehearsal_json(estimate)},
  };
  return harmless_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace gputop
