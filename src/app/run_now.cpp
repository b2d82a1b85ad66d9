#include "gputop/app/run_now.hpp"

#include <algorithm>

#include "gputop/logs/live_throughput.hpp"

namespace gputop {
namespace {

constexpr Duration kRecent = std::chrono::seconds{20};
constexpr std::uint64_t kFewestBatches = 4;  // fewer give no meaningful rate

// By the lens's count: samples of the training loader per second over the last seconds, without pauses.
Reading<Throughput> counted(const Model& model, Instant at) {
  const auto* lens = model.lens.main();
  const auto* loader = lens ? lens->training_loader() : nullptr;
  const auto batch = loader ? current_batch(model) : std::nullopt;
  if (!loader || !batch) return std::nullopt;
  const auto span = lens->span(loader->value.id, at - kRecent);
  if (!span || at - span->at > kRecent || span->last.drawn() < span->first.drawn() + kFewestBatches)
    return std::nullopt;
  const double seconds = span->last.seconds() - span->first.seconds();
  if (!(seconds > 0)) return std::nullopt;
  const auto samples = static_cast<double>((span->last.drawn() - span->first.drawn()) * *batch);
  const auto& environment = lens->environment;
  const auto world = environment && environment->value.world ? environment->value.world : lens->hello.world;
  return Throughput{samples / seconds * world.value_or(1), "samples/s", true};
}

bool is_by_tokens(const Reading<Throughput>& printed) {
  return printed && printed->unit == "tokens/s";
}

}  // namespace

Reading<std::uint64_t> current_batch(const Model& model) {
  if (const auto* lens = model.lens.main()) {
    if (const auto* loader = lens->training_loader()) {
      if (loader->value.batch_size) return loader->value.batch_size;
      for (const auto& tick : lens->ticks.back().value.loaders) {
        if (tick.id == loader->value.id && tick.batch) return tick.batch;
      }
    }
  }
  return model.run ? model.run->log.progress().batch_size : std::nullopt;
}

bool is_validating(const Model& model) {
  if (!model.run || model.run->end) return false;
  if (const auto* lens = model.lens.main()) {
    if (const auto validates = lens->validates()) return *validates;
  }
  return model.run->log.progress().phase == Phase::kValidation;
}

Reading<Throughput> throughput_now(const Model& model, Instant at) {
  if (!model.run) return std::nullopt;
  const auto printed = live_throughput(model.run->log.progress(), at);
  if (is_by_tokens(printed)) return printed;
  const auto by_lens = is_validating(model) ? std::nullopt : counted(model, at);
  return by_lens ? by_lens : printed;
}

Reading<Throughput> last_throughput(const Model& model) {
  if (!model.run) return std::nullopt;
  const auto printed = throughput(model.run->log.progress());
  if (is_by_tokens(printed)) return printed;
  const auto* lens = model.lens.main();
  const auto by_lens = lens && !lens->ticks.empty() ? counted(model, lens->ticks.back().at) : std::nullopt;
  return by_lens ? by_lens : printed;
}

Reading<Duration> still_for(const Model& model, Instant now) {
  if (!model.run) return std::nullopt;
  Instant last = model.run->output_bytes > 0 ? std::max(model.run->since, model.run->last_output) : model.run->since;
  for (const auto& process : model.lens.processes) {
    if (!process.ticks.empty()) last = std::max(last, process.ticks.back().at);
  }
  return std::max(Duration{}, now - last);
}

}  // namespace gputop
