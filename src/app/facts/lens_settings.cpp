// The run's settings as its lens sees them.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "app/facts/parts.hpp"
#include "gputop/core/saturate.hpp"

namespace gputop::facts {
namespace {

// The optimizer with the most parameters: the model's.
const Said<LensOptimizer>* main_optimizer(const LensProcess& process) {
  const auto most =
      std::max_element(process.optimizers.begin(), process.optimizers.end(),
                       [](const auto& a, const auto& b) { return a.value.parameters < b.value.parameters; });
  return most == process.optimizers.end() ? nullptr : &*most;
}

// "timm.optim.lamb.Lamb" → "lamb".
std::string name_of(const LensOptimizer& optimizer) {
  auto name = optimizer.type.substr(optimizer.type.rfind('.') + 1);
  for (auto& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
}

Reading<OptimizerKind> kind_of(const LensOptimizer& optimizer) {
  const auto kind = parse_optimizer(name_of(optimizer));
  if (kind == OptimizerKind::kSgd && optimizer.momentum.value_or(0) > 0) return OptimizerKind::kSgdMomentum;
  return kind ? kind : OptimizerKind::kOther;
}

// The type that matrix products are computed in: autocast's if it is on, otherwise the parameters'.
Reading<Precision> precision_of(const LensEnvironment& environment) {
  for (const auto& autocast : environment.autocast) {
    if (!autocast.enabled) continue;
    if (autocast.type == "bfloat16") return Precision::kAmpBf16;
    if (autocast.type == "float16") return Precision::kAmpFp16;
  }
  if (environment.device && environment.tf32_matmul == true) return Precision::kTf32;
  return Precision::kFp32;
}

// Parameters of two bytes each without autocast: the model itself is in half precision.
bool is_half(const LensModule& module) {
  return module.parameters > 0 && module.bytes.value() == 2 * module.parameters;
}

bool has_convolutions(const LensModule& module) {
  return std::any_of(module.kinds.begin(), module.kinds.end(),
                     [](const LensCount& kind) { return kind.name.starts_with("Conv"); });
}

// "2.4.1+cu121" → 2.
Reading<unsigned> major_of(const std::string& version) {
  unsigned major = 0;
  const auto parsed = std::from_chars(version.data(), version.data() + version.size(), major);
  return parsed.ec == std::errc{} ? Reading<unsigned>{major} : std::nullopt;
}

void add_loader(Gathering& gathering, const Said<LensLoader>& loader, const LensProcess& process) {
  auto& [model, facts, take, from] = gathering;
  auto& settings = facts.settings;
  const auto& [value, at] = loader;
  take("batch_size", settings.batch_size, value.batch_size, kLens, at);
  if (!value.batch_size) {  // the dataset makes its own batches
    for (const auto& tick : process.ticks.back().value.loaders) {
      if (tick.id == value.id) take("batch_size", settings.batch_size, tick.batch, kLens, process.ticks.back().at);
    }
  }
  take("workers", settings.workers, value.workers, kLens, at);
  take("prefetch", settings.prefetch, value.prefetch, kLens, at);
  take("pin_memory", settings.pin_memory, value.pin_memory, kLens, at);
  take("persistent_workers", settings.persistent_workers, value.persistent, kLens, at);
  if (!value.iterable) take("dataset_size", settings.dataset_size, value.length, kLens, at);
  // The loader that is read without training on it: validation's.
  for (const auto& other : process.loaders) {
    if (other.value.id == value.id || !other.value.batch_size || process.ticks.empty()) continue;
    for (const auto& tick : process.ticks.back().value.loaders) {
      const bool evaluates = tick.id == other.value.id && tick.steps == 0 && tick.batches + tick.first > 0;
      if (evaluates) take("eval_batch_size", settings.eval_batch_size, other.value.batch_size, kLens, other.at);
    }
  }
}

void add_accumulation(Gathering& gathering, const LensProcess& process, unsigned loader) {
  auto& accumulation = gathering.facts.settings.accumulation;
  const auto& last = process.ticks.back();
  Reading<double> passes = last.value.backwards_per_step;
  if (!passes) {  // several optimizers: count the batches that went into a step
    const auto span = process.span(loader, Instant{});
    if (span && span->steps >= 8) {
      passes = static_cast<double>(span->last.batches - span->first.batches) / static_cast<double>(span->steps);
    }
  }
  if (!passes || !(*passes >= 0.5 && *passes < 1e9)) return;
  gathering.take("accumulation", accumulation, saturate_rounded<std::uint64_t>(*passes), kLens, last.at);
}

void add_model(Gathering& gathering, const LensProcess& process) {
  auto& [model, facts, take, from] = gathering;
  auto& settings = facts.settings;
  if (process.environment) {
    const auto& [environment, at] = *process.environment;
    auto precision = precision_of(environment);
    const bool half =
        process.model && !process.model->value.roots.empty() && is_half(process.model->value.roots.front());
    if (half && (precision == Precision::kFp32 || precision == Precision::kTf32)) precision = Precision::kBf16;
    take("precision", settings.precision, precision, kLens, at);
    take("tf32", settings.tf32, environment.tf32_matmul, kLens, at);
    take("cudnn_benchmark", settings.cudnn_benchmark, environment.cudnn_benchmark, kLens, at);
    take("threads", settings.threads, environment.threads, kLens, at);
    take("checkpointing", settings.checkpointing, environment.checkpointing, kLens, at);
    take("world_size", settings.world_size, environment.world ? environment.world : process.hello.world, kLens, at);
  }
  if (!process.model || process.model->value.roots.empty()) return;
  const auto at = process.model->at;
  const auto& root = process.model->value.roots.front();
  take("parameters", settings.parameters, root.parameters, kLens, at);
  take("trainable_parameters", settings.trainable_parameters, root.trainable, kLens, at);
  take("model_class", settings.model_class, root.type, kLens, at);
  take("compiled", settings.compiled, root.compiled, kLens, at);
  take("channels_last", settings.channels_last, root.channels_last, kLens, at);
  take("convolutions", settings.convolutions, has_convolutions(root), kLens, at);
  take("torch_major", settings.torch_major, major_of(process.hello.torch), kLens, at);
  if (root.checkpointing) take("checkpointing", settings.checkpointing, true, kLens, at);
}

}  // namespace

void add_lens_settings(Gathering& gathering, const LensProcess& process) {
  auto& settings = gathering.facts.settings;
  if (const auto* loader = process.training_loader()) {
    add_loader(gathering, *loader, process);
    add_accumulation(gathering, process, loader->value.id);
  }
  if (const auto* optimizer = main_optimizer(process)) {
    gathering.take("optimizer", settings.optimizer, kind_of(optimizer->value), kLens, optimizer->at);
    gathering.take("optimizer", settings.optimizer_name, name_of(optimizer->value), kLens, optimizer->at);
    if (!optimizer->value.learning_rates.empty()) {
      gathering.take("learning_rate", settings.learning_rate, optimizer->value.learning_rates.front(), kLens,
                     optimizer->at);
    }
  }
  if (!process.ticks.empty() && !process.ticks.back().value.learning_rates.empty() && process.optimizers.size() == 1) {
    const auto& last = process.ticks.back();
    gathering.take("learning_rate", settings.learning_rate, last.value.learning_rates.front(), kLens, last.at);
  }
  add_model(gathering, process);
}

}  // namespace gputop::facts
