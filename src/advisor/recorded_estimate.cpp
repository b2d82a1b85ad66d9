#include "gputop/advisor/recorded_estimate.hpp"

#include <utility>

namespace gputop {
namespace {

template <class T, class Value>
void take(const Known<T>& fact, std::optional<Value>& wanted) {
  if (fact && !wanted) wanted = fact->value;
}

}  // namespace

std::optional<MemoryModel> counted_model(const MemoryFacts& memory) {
  if (!memory.parameters || !memory.activations_per_sample) return std::nullopt;
  return lens_model({.parameters = memory.parameters->value,
                     .gradients = memory.gradients ? memory.gradients->value : memory.parameters->value,
                     .optimizer = memory.optimizer ? memory.optimizer->value : Bytes{},
                     .activations_per_sample = static_cast<double>(memory.activations_per_sample->value.value()),
                     .overhead = std::nullopt});
}

Result<Estimate> recorded_estimate(const Facts& facts, EstimateRequest request, const std::optional<TargetGpu>& gpu) {
  const auto prior = counted_model(facts.memory);
  std::vector<MemoryPoint> points;
  for (const auto& point : facts.memory.points) points.push_back({point.batch, point.peak});
  auto model = measured_model(points, prior ? &*prior : nullptr);
  if (!model && !prior)
    return Error{Error::Kind::kInvalid,
                 "nothing in it says what its memory is made of: the lens counted no step, and no batch size was seen with its memory"};
  take(facts.settings.batch_size, request.batch);
  take(facts.settings.accumulation, request.accumulation);
  take(facts.settings.dataset_size, request.dataset);
  take(facts.settings.precision, request.precision);
  take(facts.settings.optimizer, request.optimizer);
  auto answer = estimate_with(model ? *model : *prior, request, gpu);
  if (model) answer.prior = prior;
  return answer;
}

}  // namespace gputop
