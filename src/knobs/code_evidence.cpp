#include "knobs/code_evidence.hpp"

#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "gputop/knobs/finder.hpp"
#include "knobs/layers.hpp"

namespace gputop::knobs {
namespace {

// The name that the code knows it by: batch_size of --batch-size, of -b and of train.batch_size.
std::string name_in_code(const Candidate& candidate) {
  const std::string& key = candidate.place.key;
  const bool flag = candidate.place.kind == Place::Kind::kArgument && key.starts_with('-');
  if (flag && candidate.match.alias != nullptr) return candidate.match.alias->parts.back();
  return simplified(slice(key, key.rfind('.') == key.npos ? 0 : key.rfind('.') + 1));
}

// A switch of this (simplified) name is on: --scale_lr, scale_lr: true, or on unless it is turned off.
bool is_on(const std::string& name, const std::vector<std::string>& argv, const ReadFiles& read) {
  const auto says = [](std::string_view text) {
    const Value value = read_scalar(text, Dialect::kWords);
    return value == Value{true} || as_number(value).value_or(0) == 1;
  };
  for (std::size_t i = 0; i < argv.size(); ++i) {
    const auto equals = argv[i].find('=');
    std::string flag = slice(argv[i], 0, equals);
    flag.erase(0, std::min(flag.find_first_not_of('-'), flag.size()));
    if (simplified(slice(flag, flag.rfind('.') == flag.npos ? 0 : flag.rfind('.') + 1)) != name) continue;
    if (equals != std::string::npos) return says(slice(std::string_view{argv[i]}, equals + 1));
    return i + 1 >= argv.size() || is_flag(argv[i + 1]) || read_scalar(argv[i + 1], Dialect::kWords) != Value{false};
  }
  for (const auto& [path, file] : read) {
    if (file.document.format == Format::kPython) {
      const auto flags = declared_flags(file.document);
      const auto usual = [&](const DeclaredFlag& flag) { return simplified(flag.name) == name && flag.fallback == Value{true}; };
      if (std::any_of(flags.begin(), flags.end(), usual)) return true;
      continue;
    }
    for (const auto& entry : file.document.entries) {
      if (simplified(entry.path.back()) == name && entry.value == Value{true}) return true;
    }
  }
  return false;
}

}  // namespace

void count_as_declared(std::vector<Candidate>& candidates,
                       const std::vector<DeclaredFlag>& declared,
                       const Reading& reading) {
  for (auto& candidate : candidates) {
    if (candidate.place.kind != Place::Kind::kArgument || candidate.knob != "batch_size") continue;
    const auto flag = std::find_if(declared.begin(), declared.end(), [&](const DeclaredFlag& each) {
      return std::find(each.names.begin(), each.names.end(), candidate.place.key) != each.names.end() ||
             completed(candidate.place.key, declared) == each.name;
    });
    if (flag == declared.end() || flag->help.empty()) continue;
    const std::string help = simplified(flag->help);
    const auto says = [&](std::string_view words) { return help.find(words) != help.npos; };
    const bool all = says("total") || says("allgpus") || says("all gpus") || says("global") || says("acrossgpus");
    if (!all || says("per gpu") || says("pergpu") || says("per device")) continue;
    candidate.match.whose = says("node") ? Whose::kNode : Whose::kAll;
    candidate.value = meant(candidate.match, candidate.found, reading);
    candidate.evidence.push_back("its help says \"" + flag->help + "\"");
  }
}

void count_as_divided(std::vector<Candidate>& candidates, const Evidence& evidence, const Reading& reading) {
  for (auto& candidate : candidates) {
    const std::string_view knob = candidate.knob;
    const bool counted = knob == "batch_size" || knob == "eval_batch_size" || knob == "workers";
    const auto kind = candidate.place.kind;
    if (!counted || candidate.match.counts() != Whose::kRank || kind == Place::Kind::kLens) continue;
    // What a loader is given is each rank's own.
    const auto& path = candidate.place.path;
    const bool given = std::any_of(path.begin(), path.end(), [](const std::string& part) { return part.ends_with("Loader()"); });
    if (given) continue;
    const std::string name = name_in_code(candidate);
    const auto& all = evidence.divisions;
    const auto found = std::find_if(all.begin(), all.end(), [&](const RankDivision& each) { return each.name == name; });
    if (found == all.end() || name.find("per") != name.npos) continue;
    candidate.match.whose = found->whose;
    candidate.value = meant(candidate.match, candidate.found, reading);
    candidate.evidence.push_back(found->file + " divides it among the GPUs (line " + std::to_string(found->line) + ")");
  }
}

void refuse_products(std::vector<Candidate>& candidates, const ReadFiles& read) {
  for (auto& candidate : candidates) {
    const bool python = candidate.place.kind == Place::Kind::kFile && candidate.place.file.ends_with(".py");
    if (candidate.knob != "batch_size" || !python || !candidate.fixed.empty() || candidate.place.path.empty()) continue;
    for (const auto& other : candidates) {
      if (other.knob != "accumulation" || other.place.file != candidate.place.file) continue;
      auto raw = slice(std::string_view{read.find(other.place.file)->second.text}, other.place.begin, other.place.end - other.place.begin);
      const std::string& name = candidate.place.path.back();
      if (!raw.starts_with(name)) continue;
      skip_front(raw, name.size());
      skip_front(raw, std::min(raw.find_first_not_of(' '), raw.size()));
      if (raw.starts_with('/')) candidate.fixed = "the batch of a whole optimizer step: the accumulation is worked out of it";
    }
  }
}

void refuse_true_defaults(std::vector<Candidate>& candidates) {
  for (auto& flag : candidates) {
    const bool alone = flag.place.how == Place::How::kPresent || (!flag.place.path.empty() && flag.place.path.back() == "[present]");
    if (!alone || !flag.fixed.empty()) continue;
    for (const auto& other : candidates) {
      const bool field = other.knob == flag.knob && other.place.path.size() == 2 && other.place.file.ends_with(".py") &&
                         other.found == Value{true} && simplified(other.place.path.back()) == simplified(flag.place.key);
      if (field) flag.fixed = "its default in " + other.place.file + " is true: without the flag it stays on";
    }
  }
}

void refuse_unknown_counts(std::vector<Candidate>& candidates, const Reading& reading) {
  if (reading.ranks || !reading.several) return;
  for (auto& candidate : candidates) {
    const bool counted = candidate.knob == "batch_size" || candidate.knob == "eval_batch_size";
    if (!counted || candidate.match.counts() == Whose::kRank || !candidate.fixed.empty()) continue;
    candidate.fixed = "it counts all GPUs together, and how many there are is not known (--world N says it)";
  }
}

void refuse_short_flags(std::vector<Candidate>& candidates, const CommandWords& command, const ReadFiles& read) {
  const bool unread = command.module && command.script &&
                      std::none_of(read.begin(), read.end(), [](const auto& file) { return file.second.document.format == Format::kPython; });
  if (!unread) return;
  for (auto& candidate : candidates) {
    const bool short_flag = candidate.place.kind == Place::Kind::kArgument && candidate.match.alias == nullptr &&
                            candidate.knob == "batch_size" &&
                            candidate.place.key.starts_with('-');
    if (short_flag && candidate.fixed.empty()) {
      candidate.fixed = "the module is not here: whose batch it counts is not known";
    }
  }
}

void count_as_scaled(std::vector<Candidate>& candidates,
                     const Evidence& evidence,
                     const std::vector<std::string>& argv,
                     const ReadFiles& read) {
  const auto by_switch = std::find_if(candidates.begin(), candidates.end(), [](const Candidate& each) {
    // `if args.auto_scale_lr: cfg.auto_scale_lr.enable = True` of a script: whether it is run is not known.
    const bool perhaps = each.place.kind == Place::Kind::kFile && each.score < kLauncher && each.place.path.size() > 1;
    return each.knob == "scales_rate" && is_there(each) && !perhaps && each.value == Value{true};
  });
  const std::string switched = by_switch == candidates.end() ? "" : in_words(by_switch->place);
  for (auto& candidate : candidates) {
    if (candidate.knob != "learning_rate") continue;
    candidate.scaled_by = switched;
    const std::string name = name_in_code(candidate);
    for (const auto& rate : evidence.batch_code.rates) {
      // base_lr = config.model.base_learning_rate
      const bool same = rate.name == name || (rate.name.starts_with("base") && name.starts_with("base"));
      const bool off = rate.only_if.starts_with('!');
      if (!same || (!rate.only_if.empty() && is_on(slice(rate.only_if, off ? 1 : 0), argv, read) == off)) continue;
      candidate.scaled_by = printable(rate.file) + " (line " + std::to_string(rate.line) + ")";
    }
  }
}

}  // namespace gputop::knobs
