#include "knobs/ranking.hpp"

#include <algorithm>

#include "gputop/core/characters.hpp"
#include "gputop/core/scan.hpp"
#include "gputop/knobs/finder.hpp"
#include "knobs/layers.hpp"
#include "knobs/paths.hpp"
#include "knobs/python_mentions.hpp"

namespace gputop::knobs {
namespace {

constexpr int kRemembered = 1000 * kLayer;
constexpr int kSeenSame = 100 * kLayer;
constexpr int kSeenOther = -50 * kLayer;
// Within a layer.
constexpr int kNamedByArgument = 20;
constexpr int kImportedByName = 10;
constexpr int kTrainingSection = 6;
constexpr int kUsedByScript = 4;
constexpr int kOneOfSeveral = -30;  // "lr" is meant before "lr_backbone"
constexpr int kTestSection = -3;    // validation is meant before a last test
constexpr int kWeights = -3;        // torch_dtype: of the weights, before bf16 says how they are trained

void compare_with_seen(Candidate& candidate, const Evidence& evidence) {
  const auto* seen = evidence.find(candidate.knob);
  const bool says_nothing = std::holds_alternative<std::monostate>(candidate.value);
  if (seen == nullptr || says_nothing) return;
  const auto fact_value = check_value(*candidate.match.knob, seen->value);
  const bool same = same_value(fact_value ? *fact_value : seen->value, candidate.value);
  candidate.score += same ? kSeenSame : kSeenOther;
  const std::string fact = "the run has " + to_text(seen->value) + " (" + seen->source + ")";
  candidate.evidence.insert(candidate.evidence.begin(), same ? fact + ", as it says here" : fact + ", not this");
}

struct Import {
  std::string file;
  std::string name;
};
std::vector<Import> imported_names(const ReadFiles& read) {
  std::vector<Import> names;
  for (const auto& [path, file] : read) {
    if (file.document.format != Format::kPython) continue;
    for (const auto& import : python_mentions(file.text).imports) {
      for (const auto& name : import.names) names.push_back({path, name});
    }
  }
  return names;
}

// --phase debug and CONFIG_DEBUG.batch_size belong together; so do `from config import CONFIG_DEBUG` and that.
void compare_with_words(Candidate& candidate,
                        const std::vector<std::string>& argv,
                        const std::vector<Import>& imports) {
  if (candidate.place.kind != Place::Kind::kFile) return;
  const auto parts = split(candidate.place.key, '.');
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const auto value = slice(argv[i], argv[i].find('=') == std::string::npos ? 0 : argv[i].find('=') + 1);
    if (value.size() < 3 || value.starts_with('-') || format_of(value)) continue;
    const std::string word = simplified(value);
    for (std::size_t k = 0; k + 1 < parts.size(); ++k) {
      const auto words = split(parts[k], '_');
      const bool named =
          simplified(parts[k]) == word ||
          std::any_of(words.begin(), words.end(), [&](const std::string& w) { return simplified(w) == word; });
      if (!named) continue;
      candidate.score += kNamedByArgument;
      candidate.evidence.push_back("the command line says " + value);
      return;
    }
  }
  if (parts.size() < 2 || !candidate.place.file.ends_with(".py")) return;
  for (const auto& [file, name] : imports) {
    if (file == candidate.place.file || name != parts[0]) continue;
    candidate.score += kImportedByName;
    candidate.evidence.push_back(file + " imports " + name);
    return;
  }
}

void prefer_training(Candidate& candidate) {
  if (candidate.place.kind != Place::Kind::kFile) return;
  const std::string key = simplified(candidate.place.key);
  for (const std::string_view word : {"train", "data", "loader", "solver", "optim", "hparam", "hyper"}) {
    if (key.find(word) == key.npos) continue;
    candidate.score += kTrainingSection;
    return;
  }
}

// config.AMP_ENABLE in the script, of AMP_ENABLE and ENABLE_AMP.
bool is_used(const Place& place, const ReadFiles& read, const std::string& script) {
  const auto code = read.find(script);
  if (place.kind != Place::Kind::kFile || place.path.empty() || code == read.end() || place.file == script) return false;
  const std::string key = "." + place.path.back();
  if (std::any_of(key.begin(), key.end(), is_lower)) return false;
  const std::string_view text = code->second.text;
  for (auto at = text.find(key); at != text.npos; at = text.find(key, at + 1)) {
    const char after = char_at(text, at + key.size());
    if (!is_alnum(after) && after != '_') return true;
  }
  return false;
}

bool is_of_test(const Place& place) {
  const auto words = words_of(place.key);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "test" || word == "infer" || word == "inference" || word == "predict" || word == "prediction";
  });
}

// optimizer.params[0].lr beside optimizer.lr: the rate of some of the parameters.
bool is_of_a_group(const Place& place) {
  for (std::size_t i = 0; i + 1 < place.path.size(); ++i) {
    const std::string name = simplified(place.path[i]);
    const bool groups = name == "params" || name == "paramgroups" || name == "parameters";
    if (groups && place.path[i + 1].starts_with('[')) return true;
  }
  return false;
}

// VitsConfig(num_loader_workers=8), where the class has its default from another one in an imported file.
bool makes_settings(std::string_view call) {
  for (const std::string_view kind : {"Config", "Args", "Arguments", "Params", "Options", "Settings"}) {
    if (call.ends_with(kind)) return true;
  }
  return false;
}

// TrainConfig(batch_size=16) counts before what the class TrainConfig has as its default.
void prefer_calls(std::vector<Candidate>& candidates) {
  for (auto& made : candidates) {
    for (const auto& part : split(made.place.key, '.')) {
      if (made.place.kind != Place::Kind::kFile || !part.ends_with("()")) continue;
      const std::string name = slice(part, 0, part.size() - 2);
      for (auto& other : candidates) {
        const bool file = other.knob == made.knob && other.place.kind == Place::Kind::kFile && &other != &made;
        const bool own = file && other.place.key.starts_with(name + ".");
        const bool inherited = file && makes_settings(name) && other.place.file != made.place.file &&
                               other.place.path.size() == 2 && !other.place.path.front().ends_with("()") &&
                               other.place.file.ends_with(".py") && other.place.path.back() == made.place.path.back();
        if ((!own && !inherited) || other.score < made.score) continue;
        other.score = made.score - 1;
        other.evidence.push_back(made.place.file + " says otherwise when it makes a " + name);
      }
    }
  }
}

// param_group["lr"] = lr, with lr = get_lr(step): what the optimizer was made with is overwritten; max_lr, a variable of the
// script that get_lr reads, counts.
void prefer_schedule(std::vector<Candidate>& candidates, const ReadFiles& read) {
  for (const auto& schedule : candidates) {
    const auto& file = schedule.place.file;
    const auto code = read.find(file);
    if (schedule.knob != "learning_rate" || schedule.place.path.size() != 1 || !schedule.fixed.empty() || code == read.end()) continue;
    if (code->second.text.find("param_group[\"lr\"] = ") == std::string::npos &&
        code->second.text.find("param_group['lr'] = ") == std::string::npos) {
      continue;
    }
    for (auto& given : candidates) {
      const bool worked_out = given.place.path.size() == 1 && !given.fixed.empty();
      const bool argument = given.place.path.size() > 1 && given.place.path[given.place.path.size() - 2].ends_with("()");
      if (given.knob != schedule.knob || given.place.file != file || (!worked_out && !argument)) continue;
      given.fixed = "param_group[\"lr\"] is set over it in the loop";
      given.score = std::min(given.score, schedule.score - 1);
    }
  }
}

}  // namespace

void rank(std::vector<Candidate>& candidates,
          const std::vector<std::string>& argv,
          const std::string& script,
          const ReadFiles& read,
          const Evidence& evidence) {
  const auto imports = imported_names(read);
  for (auto& candidate : candidates) {
    compare_with_seen(candidate, evidence);
    compare_with_words(candidate, argv, imports);
    prefer_training(candidate);
    if (is_used(candidate.place, read, script)) candidate.score += kUsedByScript;
    const bool by_word = candidate.match.alias != nullptr && candidate.match.alias->among_words;
    if (by_word || is_of_a_group(candidate.place)) candidate.score += kOneOfSeveral;
    if (is_of_weights(candidate.match)) candidate.score += kWeights;
    if (candidate.match.knob->in_other_sections && is_of_test(candidate.place)) candidate.score += kTestSection;
    for (const auto& [knob, place] : evidence.remembered) {
      if (knob != candidate.knob || place != to_string(candidate.place)) continue;
      candidate.score += kRemembered;
      candidate.evidence.insert(candidate.evidence.begin(), "chosen before for this project");
    }
  }
  prefer_calls(candidates);
  prefer_schedule(candidates, read);
  std::vector<std::pair<int, std::size_t>> order;  // pairs are sorted in less code than candidates
  for (std::size_t i = 0; i < candidates.size(); ++i) order.emplace_back(-candidates[i].score, i);
  std::sort(order.begin(), order.end());
  std::vector<Candidate> sorted;
  for (const auto& each : order) sorted.push_back(std::move(candidates[each.second]));
  candidates = std::move(sorted);
}

}  // namespace gputop::knobs
