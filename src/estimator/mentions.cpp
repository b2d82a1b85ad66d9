#include "estimator/mentions.hpp"

#include <cmath>

#include "gputop/core/format.hpp"
#include "gputop/core/saturate.hpp"

namespace gputop {

void doubt(Estimate& answer, const std::optional<MemoryModel>& prior, std::uint64_t batch) {
  const auto& points = answer.model.points;
  if (points.empty() || batch <= points.front().batch) return;
  const bool shaped = prior && prior->sample.activations > 0;
  if (points.size() == 1 && shaped) return;
  answer.naive = naive_scaling(answer.model, prior ? &*prior : nullptr, batch);
  if (!answer.naive) return;
  const auto plain = "plain scaling of the " + std::to_string(points.front().batch) + "-sample peak" +
                     (prior ? "" : " (" + format_bytes(kPlainOverhead) + " of it taken as fixed)") + " says " +
                     format_number(*answer.naive / Bytes{1ULL << 30U}, 2) + " GiB for " + std::to_string(batch) + "; ";
  if (points.size() == 1) {
    answer.notes.push_back(plain + "how much of the peak really grows is known once another batch was measured, too");
    return;
  }
  const auto line = memory_at(answer.model, batch);
  const auto fixed = saturate<std::uint64_t>(answer.model.fixed.states() + answer.model.fixed.overhead);
  answer.notes.push_back(plain + "the line through " + std::to_string(points.size()) + " measured points says " +
                         format_bytes(line.total) + " ± " + format_number(100 * line.error, 0) +
                         " %: " + format_bytes(Bytes{fixed}) + " of it do not grow with the batch");
}

void mention_learning_rate(Estimate& answer, const EstimateRequest& request) {
  if (!request.batch || !answer.best) return;
  const auto& next = first_step(answer);
  const auto before = *request.batch * request.accumulation.value_or(1);
  const auto after = next.batch * next.accumulation;
  if (next.batch == *request.batch) return;
  const auto change = "batch " + std::to_string(*request.batch) + " × " +
                      std::to_string(request.accumulation.value_or(1)) + " → " + std::to_string(next.batch) + " × " +
                      std::to_string(next.accumulation);
  if (before == after) {
    answer.notes.push_back(change + " keeps the effective batch at " + std::to_string(after) +
                           ": leave the learning rate as it is");
    return;
  }
  const double ratio = static_cast<double>(after) / static_cast<double>(before);
  const auto linear = "× " + format_number(ratio, 2) + " (linear, for SGD)";
  const auto root = "× " + format_number(std::sqrt(ratio), 2) + " (square root, for Adam and its kin)";
  const bool sgd = request.optimizer == OptimizerKind::kSgd || request.optimizer == OptimizerKind::kSgdMomentum;
  answer.notes.push_back(change + " makes the effective batch " + std::to_string(after) + " instead of " +
                         std::to_string(before) + ": learning rate " +
                         (!request.optimizer ? linear + " or " + root
                          : sgd              ? linear
                                             : root));
}

void mention_attention(Estimate& answer, const EstimateRequest& request, const std::optional<TrainingSetup>& setup) {
  const bool assumed =
      setup && !request.attention && std::holds_alternative<TransformerShape>(setup->shape);
  if (!assumed || answer.model.level != EstimateLevel::kAnalytic || !answer.stated) return;
  auto eager = *setup;
  eager.attention = Attention::kEager;
  const auto stored = memory_at(analytic_model(eager), answer.stated->batch).total;
  constexpr double kWorthAWord = 1.1;
  if (stored / answer.stated->total < kWorthAWord) return;
  answer.notes.push_back("attention is taken as flash; one that stores its scores (--attention eager) would make it " +
                         format_bytes(stored));
}

void mention_assumed(Estimate& answer, const EstimateRequest& request, const std::optional<TrainingSetup>& setup) {
  if (!setup || answer.model.level != EstimateLevel::kAnalytic || std::holds_alternative<ComponentShape>(setup->shape)) return;
  std::string text;
  const auto take = [&](bool given, const std::string& words) {
    if (!given) text += (text.empty() ? "" : ", ") + words;
  };
  if (const auto* shape = std::get_if<TransformerShape>(&setup->shape)) {
    take(request.sequence.has_value(), format_number(shape->sequence, 0) + " tokens per sample (--seq)");
  } else if (const auto* image = std::get_if<ImageShape>(&setup->shape)) {
    const auto side = [](double pixels) { return format_number(pixels, 0); };
    take(request.resolution.has_value(), side(image->height) + " x " + side(image->width) + " pixels (--resolution)");
  }
  take(request.precision.has_value(), std::string{to_string(setup->precision)} + " (--precision)");
  take(request.optimizer.has_value(), std::string{to_string(setup->optimizer)} + " (--optimizer)");
  take(request.checkpointing.has_value(), "no checkpointing");
  const bool shared = setup->world > 1;
  if (shared) take(request.sharding.has_value(), "every GPU with all states (--shard)");
  if (setup->tensor > 1) text += std::string{text.empty() ? "" : ", "} + "sequence parallelism and a split loss beside tensor parallelism";
  if (request.float8) text += std::string{text.empty() ? "" : ", "} + "float8 saves no memory: what is kept for the backward pass stays in 16 bits";
  if (!text.empty()) answer.notes.push_back("assumed: " + text);
}

void mention_model(Estimate& answer, const EstimateRequest& request, const ModelTable& table) {
  if (!request.model) return;
  const auto model = find_model(table, *request.model);
  if (!model) return;
  std::string words;
  for (const auto& word : unknown_words(*request.model, *model)) words += (words.empty() ? "" : ", ") + word;
  if (words.empty() && *request.model == model->name) return;
  answer.notes.push_back("the model is taken for " + model->name +
                         (words.empty() ? "" : "; what \"" + words + "\" of its name changes is not known"));
}

}  // namespace gputop
