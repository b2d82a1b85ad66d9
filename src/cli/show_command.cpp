// gputop show: a training configuration: its settings, where they are set, the memory of each stage.
#include <array>
#include <filesystem>

#include "cli/commands.hpp"
#include "gputop/rehearsal/estimate_input.hpp"
#include "gputop/report/shown_settings.hpp"

namespace gputop::cli {
namespace {

// The usual file names; the first that exists.
std::string usual_file() {
  constexpr std::array kNames{"train.yaml",        "training.yaml",      "config.yaml",         "train.yml",
                              "config.yml",        "configs/train.yaml", "configs/config.yaml", "conf/config.yaml",
                              "config/train.yaml", "config.json"};
  std::error_code error;
  for (const auto* name : kNames) {
    if (std::filesystem::is_regular_file(name, error)) return name;
  }
  return {};
}

std::vector<ShownSetting> shown(const EstimateInput& input, const Options& options) {
  std::vector<ShownSetting> settings;
  for (const auto& found : input.file.settings) {
    const std::string place = found.line == 0 ? found.path : std::to_string(found.line) + " " + found.path;
    settings.push_back({found.key, found.value, place, found.used, found.file.empty() ? "command line" : found.file});
  }
  for (const auto& [key, value] : options.estimate) settings.push_back({key, value, "--" + key, true, "options"});
  return settings;
}

}  // namespace

int show(const Options& given) {
  Options options = given;
  if (options.apply.configs.empty() && options.job.empty()) {
    if (const auto file = usual_file(); !file.empty()) options.apply.configs = {file};
  }
  if (options.apply.configs.empty() && options.job.empty() && options.estimate.empty()) {
    return usage_error({Error::Kind::kNotFound, "no train.yaml or config.yaml here; give --config FILE or -- CMD"});
  }
  const auto input = estimate_input({options.apply.configs, options.job, options.estimate});
  if (!input) return usage_error(input.error());
  std::string missing;
  const auto gpu = target_gpu(options, *input, missing);
  if (!gpu) return usage_error(gpu.error());
  auto answer = gputop::estimate(input->request, input->file.stages, input->tables.models, *gpu);
  if (answer && !*gpu) answer->notes.push_back(missing + " to search for a batch");
  const auto settings = shown(*input, options);
  const Estimate* estimate = answer ? &*answer : nullptr;
  const std::string why = answer ? "" : answer.error().message;
  return print(options.json ? settings_json(settings, estimate, why) : settings_text(settings, estimate, why));
}

}  // namespace gputop::cli
