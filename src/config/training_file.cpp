// Reading a training configuration: see training_file.hpp.
#include "gputop/config/training_file.hpp"

#include <algorithm>

#include "config/setting_finder.hpp"
#include "config/training_knobs.hpp"
#include "config/yaml_document.hpp"
#include "config/yaml_tree.hpp"
#include "gputop/config/environment.hpp"
#include "gputop/config/knob_file.hpp"
#include "gputop/config/text_file.hpp"
#include "gputop/core/closest_word.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/parse.hpp"

namespace gputop {
namespace {

// A value as a flag would have it: lists and mappings become "a,b" and "name=value,…" (or "batch:size,…").
std::string flat(const YamlTree& value, char between) {
  if (value.is_scalar()) return value.scalar;
  std::string text;
  const auto add = [&](const std::string& item) { text += (text.empty() ? "" : ",") + item; };
  for (const auto& item : value.items) add(flat(item, between));
  for (const auto& [name, item] : value.pairs) add(name + between + flat(item, between));
  return text;
}

class TrainingReader {
 public:
  TrainingReader(std::string_view file, TrainingFile& result) : file_(file), result_(result) {}

  void complain(int line, std::string text) { result_.problems.push_back({std::string{file_}, line, std::move(text)}); }

  // One key of an estimate: section.
  void read_key(const std::string& name, const YamlTree& value, EstimateRequest& request, const std::string& path) {
    const auto* key = find_request_key(name);
    if (key == nullptr) {
      std::vector<std::string_view> names;
      for (const auto& known : request_keys()) names.push_back(known.name);
      return complain(value.line, path + ": unknown key \"" + printable(name) + '"' + did_you_mean(name, names));
    }
    const bool points = key->name == "measured" || key->name == "throughput";
    const auto text = flat(value, points ? ':' : '=');
    if (const auto wrong = key->read(text, request)) return complain(value.line, path + "." + name + ": " + *wrong);
    result_.settings.push_back({std::string{key->name}, path + "." + name, text, value.line, true});
  }

  void read_section(const YamlTree& section) {
    for (const auto& [name, value] : section.pairs) {
      if (name != "stages")
        read_key(name, value, result_.request, "estimate");
      else
        read_own_stages(value);
    }
  }

  // The settings found in the user's own words.
  void read_found(const std::vector<FoundValue>& values, EstimateRequest& request, bool whole) {
    std::vector<FoundSetting> settings;
    for (const auto& value : values)
      settings.push_back({std::string{value.key}, value.path, value.value, value.line, false});
    for (const auto& key : request_keys()) {
      const auto* value = surest(values, key.name);
      if (value == nullptr) continue;
      // Words that mean nothing to the estimator ("auto", a path, "${data.batch}") are shown, not complained about;
      // another place may say more.
      bool taken = false;
      for (const auto* other : by_rank(values, key.name)) {
        if (key.read(other->value, request)) continue;
        taken = settings[static_cast<std::size_t>(other - values.data())].used = true;
        break;
      }
      const bool literal = value->value != "auto" && value->value.find_first_of("$,{") == std::string::npos;
      if (!taken && key.name == "batch" && literal)
        complain(value->line, value->path + ": \"" + printable(value->value) + "\" is not a batch size");
    }
    if (whole) read_precision_switches(values, request);
    result_.settings.insert(result_.settings.end(), settings.begin(), settings.end());
  }

  void read_stages(const std::vector<StageTree>& stages, const std::vector<FoundValue>& values) {
    std::vector<double> samples;
    for (const auto& stage : stages) {
      const auto found = find_stage_settings(stage);
      StageRequest row;
      row.name = stage.name;
      read_found(found, row.changes, false);
      samples.push_back(samples_of(found).value_or(0));
      row.positives = count_of(found, "positives");
      row.negatives = count_of(found, "negatives");
      result_.stages.push_back(std::move(row));
    }
    // What a sample holds (an anchor with its positives and negatives), against what the file's figures are for.
    const double base =
        samples_of(values).value_or(samples.empty() ? 0 : *std::max_element(samples.begin(), samples.end()));
    for (std::size_t i = 0; base > 0 && i < samples.size(); ++i) {
      if (samples[i] > 0) result_.stages[i].sample_factor = samples[i] / base;
    }
  }

 private:
  void read_own_stages(const YamlTree& list) {
    if (list.kind != YamlTree::Kind::kList) return complain(list.line, "estimate.stages: is not a list");
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      StageRequest stage;
      stage.name = std::to_string(i + 1);
      const auto path = "estimate.stages[" + std::to_string(i) + "]";
      for (const auto& [name, value] : list.items[i].pairs) {
        if (name == "name")
          stage.name = printable(value.scalar);
        else
          read_key(name, value, stage.changes, path);
      }
      result_.stages.push_back(std::move(stage));
    }
  }

  // fp16: true, bf16: true, amp: true, as HF and others have it.
  static void read_precision_switches(const std::vector<FoundValue>& values, EstimateRequest& request) {
    if (request.precision) return;
    const auto on = [&](std::string_view key) {
      const auto* value = surest(values, key);
      return value != nullptr && (value->value == "true" || value->value == "True");
    };
    if (on("bf16"))
      request.precision = Precision::kAmpBf16;
    else if (on("fp16") || on("amp"))
      request.precision = Precision::kAmpFp16;
    else if (on("tf32"))
      request.precision = Precision::kTf32;
  }

  static std::optional<std::uint64_t> count_of(const std::vector<FoundValue>& values, std::string_view key) {
    const auto* value = surest(values, key);
    const auto count = value == nullptr ? Result<double>{-1.0} : parse_count(value->value);
    return count && *count >= 0 ? std::optional{static_cast<std::uint64_t>(*count)} : std::nullopt;
  }

  static std::optional<double> samples_of(const std::vector<FoundValue>& values) {
    double sum = 1;
    bool any = false;
    for (const auto* key : {"positives", "negatives"}) {
      const auto* value = surest(values, key);
      const auto count = value == nullptr ? Result<double>{0.0} : parse_count(value->value);
      if (value == nullptr || !count) continue;
      sum += *count;
      any = true;
    }
    return any ? std::optional{sum} : std::nullopt;
  }

  std::string_view file_;
  TrainingFile& result_;
};

}  // namespace

TrainingFile parse_training_file(std::string_view text, std::string_view file) {
  TrainingFile result;
  const auto [tree, problem] = read_yaml_tree(text, file);
  if (problem) {
    result.problems.push_back(*problem);
    return result;
  }
  TrainingReader reader{file, result};
  if (tree.kind != YamlTree::Kind::kMap) {
    reader.complain(tree.line, "is not a training configuration (a YAML or JSON file of \"key: value\")");
    return result;
  }
  const auto found = find_settings(tree);
  if (const auto* section = tree.find("estimate"); section != nullptr && section->kind == YamlTree::Kind::kMap) {
    result.has_section = true;
    reader.read_section(*section);
    // Batch and stages that the section leaves out stand where they always do.
    EstimateRequest own;
    TrainingFile rest;
    TrainingReader finder{file, rest};
    finder.read_found(found.values, own, true);
    finder.read_stages(found.stages, found.values);
    if (!result.request.batch) result.request.batch = own.batch;
    if (!result.request.accumulation) result.request.accumulation = own.accumulation;
    if (!result.request.precision) result.request.precision = own.precision;
    if (result.stages.empty()) result.stages = std::move(rest.stages);
    result.settings.insert(result.settings.end(), rest.settings.begin(), rest.settings.end());
    return result;
  }
  reader.read_found(found.values, result.request, true);
  reader.read_stages(found.stages, found.values);
  return result;
}

Result<TrainingFile> load_training_file(const std::filesystem::path& path) {
  const auto extension = path.extension().string();
  const auto text = read_text_file(path, kLargestYaml);
  if (!text) return Error{text.error().kind, text.error().message};
  if (extension == ".py" || extension == ".toml") {
    return parse_training_knobs(*text, path.string(), load_knobs(process_environment()).table);
  }
  return parse_training_file(*text, path.string());
}

}  // namespace gputop
