// What was understood, put into its place: see meaning.hpp.
#include <cmath>

#include "gputop/core/saturate.hpp"
#include "logs/meaning.hpp"
#include "logs/vocabulary.hpp"
#include "logs/words.hpp"

namespace gputop::logs {
namespace {

constexpr double kLongestStep = 1e9;  // seconds; more is no time of a step

// "throughput/device/samples_per_sec", "tokens/s/gpu"
bool of_one_device(const Field& field) {
  const auto shared = [](const Words& words) { return words.has_any("device", "gpu", "chip", "rank", "replica"); };
  return shared(Words{field.key}) || shared(Words{field.unit});
}

}  // namespace

Reading<std::uint64_t> to_count(double value) {
  if (!(value >= 0) || value > 1e15) return std::nullopt;
  return saturate_rounded<std::uint64_t>(value);
}

bool apply(const Understood& understood, const Field& field, Progress& progress) {
  const auto value = understood.value;
  const auto set = [](auto& reading, auto known) {
    if (!reading && known) reading = known;
    return true;
  };
  const auto rate = [&](Reading<double>& reading) {
    if (!(value >= 0) || !std::isfinite(value)) return false;
    if (!reading) {
      progress.coarse = progress.coarse || understood.coarse;
      progress.per_device = progress.per_device || of_one_device(field);
    }
    // "fps step: 91200 … fps total: 61200": the whole counts.
    if (reading && Words{field.key}.has_any("total", "overall")) reading = value;
    return set(reading, Reading<double>{value});
  };
  const auto duration = [&](Reading<Duration>& reading) {
    if (!(value >= 0) || value > kLongestStep) return false;
    return set(reading, Reading<Duration>{from_seconds(value)});
  };
  switch (understood.meaning) {
    case Meaning::kStep:
    case Meaning::kFraction:
      // "acc_iter=6150, cur_iter=187/271": what has a total says more.
      if (progress.step && (progress.total || !field.of || understood.meaning == Meaning::kFraction)) {
        // "Batch: 218, Global Step: 1218": what goes on and on says more than what begins anew.
        if (progress.total || field.of || !Words{field.key}.has("global")) return false;
      }
      progress.step = to_count(value);
      if (field.of) progress.total = to_count(*field.of);
      return progress.step.has_value();
    case Meaning::kTotalSteps: return set(progress.total, to_count(value));
    case Meaning::kEpoch:
      if (progress.epoch || !(value >= 0) || value > 1e7) return false;
      progress.epoch = value;
      if (field.of && names_epoch_and_step(field.key)) {  // "epoch/iter: 53/13931"
        if (!progress.step) progress.step = to_count(*field.of);
        return true;
      }
      if (field.of) progress.epochs = field.of;
      return true;
    case Meaning::kEpochs: return set(progress.epochs, Reading<double>{value});
    case Meaning::kStepRate: return rate(progress.steps_per_second);
    case Meaning::kSampleRate: return rate(progress.samples_per_second);
    case Meaning::kTokenRate: return rate(progress.tokens_per_second);
    case Meaning::kStepTime:
      if (!progress.step_time) progress.coarse = progress.coarse || understood.coarse;
      return duration(progress.step_time);
    case Meaning::kDataTime: return duration(progress.data_time);
    case Meaning::kEta: return duration(progress.eta);
    case Meaning::kLoss: {
      // "batch_loss: 0.27, loss: 0.31": the batch's is a part of it.
      const Words key{field.key};
      const bool of_batch = key.has("batch");
      // "avg_loss=0.20, loss=0.19": the plain one is what the step had.
      const bool mean = key.has_any("avg", "average", "mean", "running", "ema", "moving", "smooth", "smoothed");
      const bool plainer = progress.loss_is_mean && key.are("loss");
      if (progress.loss && (of_batch || !progress.loss_is_part) && !plainer) return true;
      progress.loss = value;
      progress.loss_is_part = of_batch;
      progress.loss_is_mean = mean;
      return true;
    }
    case Meaning::kLearningRate: return set(progress.learning_rate, Reading<double>{value});
    case Meaning::kMemory:
      return set(progress.memory, value < 1e18 ? Reading<Bytes>{Bytes{saturate<std::uint64_t>(value)}} : std::nullopt);
    case Meaning::kBatchSize: return set(progress.batch_size, to_count(value));
    case Meaning::kTotalBatchSize: return set(progress.total_batch_size, to_count(value));
    case Meaning::kAccumulation: return set(progress.accumulation, to_count(value));
    case Meaning::kPlainTime:
    case Meaning::kPartLoss:
    case Meaning::kHeldOutLoss:
    case Meaning::kOtherRate:
    case Meaning::kNone: return false;
  }
  return false;
}

void complete(Progress& progress) {
  if (!progress.steps_per_second && progress.step_time && progress.step_time->count() > 0)
    progress.steps_per_second = 1 / to_seconds(*progress.step_time);
  if (!progress.step_time && progress.steps_per_second && *progress.steps_per_second > 0)
    progress.step_time = from_seconds(1 / *progress.steps_per_second);
  if (progress.phase != Phase::kValidation) return;
  progress.result = progress.result || progress.loss.has_value();
  progress.loss.reset();
}

int apply_all(std::string_view text, Progress& progress) {
  int known = 0;
  FieldReader reader{text};
  while (const auto field = reader.next()) known += apply(understand(*field), *field, progress) ? 1 : 0;
  return known;
}

}  // namespace gputop::logs
