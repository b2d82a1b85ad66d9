#include "gputop/rehearsal/estimate_input.hpp"

#include <algorithm>
#include <filesystem>

#include "gputop/base/output.hpp"
#include "gputop/config/environment.hpp"
#include "gputop/config/knob_file.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/parse.hpp"
#include "gputop/patch/config_files.hpp"
#include "gputop/patch/project.hpp"

namespace gputop {
namespace {

Error invalid(std::string message) {
  return {Error::Kind::kInvalid, std::move(message)};
}

std::string joined(const std::vector<Problem>& problems) {
  std::string text;
  for (const auto& problem : problems) text += (text.empty() ? "" : "\ngputop: ") + to_string(problem);
  return text;
}

// A name from a user's file may be anything; only one that is in the table counts.
void forget_unknown_model(EstimateInput& input, bool by_flag) {
  if (by_flag || input.file.has_section || !input.request.model) return;
  const auto known = [&](const std::string& name) { return static_cast<bool>(find_model(input.tables.models, name)); };
  if (known(*input.request.model)) return;
  input.request.model.reset();
  for (auto& setting : input.file.settings) {
    if (setting.key != "model") continue;
    setting.used = !input.request.model && known(setting.value);
    if (setting.used) input.request.model = setting.value;
  }
  if (input.request.model || (input.request.layers && input.request.hidden)) return;
  for (auto& setting : input.file.settings) {  // the size in its name is the most useful part
    if (setting.key != "model" || input.request.model) continue;
    const auto sized = model_of_size(input.tables.models, setting.value);
    if (!sized) continue;
    setting.used = true;
    input.request.model = setting.value;
    input.tables.models.models.push_back(*sized);
  }
}

// Collections of configurations are named after what they train: mask_rcnn_R_50_FPN_3x.yaml.
void model_by_file_name(EstimateInput& input) {
  const auto& request = input.request;
  if (request.model || request.layers || request.hidden || request.params || request.components || request.per_sample ||
      input.file.has_section) {
    return;
  }
  for (const auto& file : input.files) {
    const auto name = std::filesystem::path{file}.stem().string();
    if (!find_model(input.tables.models, name)) continue;
    input.request.model = name;
    input.file.settings.push_back({"model", "its name", name, 0, true, file});
    return;
  }
}

// If a file has only adapters and their rank, assume them on the four attention matrices.
void count_adapters(EstimateInput& input) {
  constexpr double kMatrices = 4;
  if (input.request.trainable || !input.request.model) return;
  const auto model = find_model(input.tables.models, *input.request.model);
  if (!model || model->layers == 0) return;
  for (auto& setting : input.file.settings) {
    const auto rank = setting.key == "lora-rank" ? parse_count(setting.value) : Result<double>{0.0};
    if (!rank || *rank <= 0) continue;
    const double trainable = 2 * *rank * model->hidden * model->layers * kMatrices;
    if (trainable >= model->params) return;
    input.request.trainable = trainable;
    setting.used = true;
    setting.value += " (" + format_number(trainable / 1e6, 1) + "M trainable, if on all of attention)";
    return;
  }
}

// From the files of --config, or those that a command names.
Status read_settings(const EstimateWords& options, EstimateInput& input) {
  if (!options.configs.empty() && !options.job.empty()) {
    return invalid("give --config FILE or -- CMD, not both: gputop reads CMD's own files");
  }
  const auto table = load_knobs(process_environment()).table;
  patch::ConfigFiles files;
  if (!options.configs.empty()) {
    auto named = patch::config_files(options.configs);
    if (!named) return invalid("--config: " + named.error().message);
    files = *std::move(named);
  }
  const auto run = options.job.empty() ? patch::command_naming(files) : patch::command_here(table, options.job);
  const auto project = patch::read_project(table, run, std::filesystem::current_path());
  input.files = files.files;
  input.file = read_training(table, project.found, project.files, files.stages);
  if (!input.file.problems.empty()) return invalid(joined(input.file.problems));
  input.request = input.file.request;
  return success();
}

}  // namespace

Result<EstimateInput> estimate_input(const EstimateWords& options) {
  EstimateInput input;
  input.tables = load_estimator_tables(process_environment());
  for (const auto& problem : input.tables.problems) complain(to_string(problem));
  if (!options.configs.empty() || !options.job.empty()) {
    if (auto read = read_settings(options, input); !read) return read.error();
  }
  bool model_by_flag = false;
  for (const auto& [name, value] : options.estimate) {
    const auto* key = find_request_key(name);
    if (key == nullptr) continue;  // parse.cpp created the flags from the same table
    if (const auto wrong = key->read(value, input.request)) return invalid("--" + name + ": " + *wrong);
    model_by_flag = model_by_flag || name == "model";
    // One replaces the other, wherever it came from.
    if (name == "gpu") input.request.gpu_memory.reset();
    if (name == "gpu-memory") input.request.gpu.reset();
  }
  const auto given = [&](std::string_view name) {
    return std::any_of(options.estimate.begin(), options.estimate.end(),
                       [&](const auto& pair) { return pair.first == name; });
  };
  if (given("gpu") && given("gpu-memory")) return invalid("--gpu and --gpu-memory mean the same: give one");
  forget_unknown_model(input, model_by_flag);
  model_by_file_name(input);
  count_adapters(input);
  return input;
}

}  // namespace gputop
