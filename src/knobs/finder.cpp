// Everything found, ranked: see finder.hpp.
#include "gputop/knobs/finder.hpp"

#include <algorithm>

#include "gputop/core/format.hpp"
#include "knobs/additions.hpp"
#include "knobs/argument_finder.hpp"
#include "knobs/circumstances.hpp"
#include "knobs/code_evidence.hpp"
#include "knobs/file_finder.hpp"
#include "knobs/layers.hpp"
#include "knobs/paths.hpp"
#include "knobs/ranking.hpp"

namespace gputop::knobs {
namespace {

void read_files(std::span<const SourceFile> files, ReadFiles& read, std::vector<std::string>& problems) {
  for (const auto& file : files) {
    const auto format = format_of(file.path);
    if (!file.text || !format) continue;
    auto document = read_document(*format, *file.text);
    if (document) {
      read.emplace(file.path, ReadFile{*file.text, *std::move(document)});
    } else {
      problems.push_back(printable(file.path) + " is not " + std::string{to_string(*format)} +
                         " that can be read: " + document.error().message);
    }
  }
}

// A wrapper hands on what it is given, or its script's flags are of no use behind it.
bool takes_flags(const CommandWords& command, const ReadFiles& read) {
  const auto wrapper = command.script ? read.find(lexical(*command.script)) : read.end();
  if (wrapper == read.end() || wrapper->second.document.format != Format::kShell) return true;
  return wrapper->second.text.find("$@") != std::string::npos || wrapper->second.text.find("${@") != std::string::npos ||
         wrapper->second.text.find("$*") != std::string::npos;
}

std::vector<DeclaredFlag> all_declared(const ReadFiles& read) {
  std::vector<DeclaredFlag> flags;
  for (const auto& [path, file] : read) {
    if (file.document.format != Format::kPython) continue;
    for (auto& flag : declared_flags(file.document)) flags.push_back(std::move(flag));
  }
  return flags;
}

// os.environ.get("BATCH_SIZE", 8), ${BATCH_SIZE:-8}
bool reads_variable(const ReadFile& file, const std::string& name, bool only_with_default = false) {
  const auto has = [&](const std::string& words) { return file.text.find(words) != std::string::npos; };
  if (file.document.format == Format::kShell) {
    if (only_with_default) return has("${" + name + ":-") || has("${" + name + "-");
    return has("${" + name) || has("$" + name);
  }
  if (file.document.format != Format::kPython || (!has("environ") && !has("getenv"))) return false;
  return has("\"" + name + "\"") || has("'" + name + "'");
}

// A variable that is not set, but would mean something: to a library, or to a file that was read.
std::optional<Candidate> unset_variable(const Knob& knob, const ReadFiles& read) {
  Candidate candidate{.knob = knob.name,
                      .place = {.kind = Place::Kind::kEnvironment, .how = Place::How::kAbsent},
                      .value = {},
                      .found = {},
                      .match = {&knob, nullptr},
                      .fixed = {},
                      .shared = {}};
  for (const auto& name : knob.environment) {
    const auto reader =
        std::find_if(read.begin(), read.end(), [&](const auto& each) { return reads_variable(each.second, name, true); });
    if (reader == read.end()) continue;
    candidate.place.key = name;
    candidate.score = kReadVariable;
    candidate.evidence = {reader->first + " reads " + name + ", which is not set"};
    return candidate;
  }
  if (!knob.settable_by_environment || knob.environment.empty()) return std::nullopt;
  candidate.place.key = knob.environment[0];
  candidate.score = kAbsentVariable;
  candidate.evidence = {knob.environment[0] + " is not set"};
  return candidate;
}

// What reads the variable; nullptr when nothing does, and it means nothing to this run.
const ReadFile* reader_of(const ReadFiles& read, const std::string& name) {
  const auto found =
      std::find_if(read.begin(), read.end(), [&](const auto& each) { return reads_variable(each.second, name); });
  return found == read.end() ? nullptr : &found->second;
}

int score_of_variable(const Knob& knob, const ReadFile* reader) {
  if (reader == nullptr) return knob.settable_by_environment ? kLibraryVariable : 0;
  return reader->document.format == Format::kShell ? kShellVariable : kReadSetVariable;
}

void find_in_environment(const KnobTable& table,
                         const RunCommand& run,
                         const ReadFiles& read,
                         std::vector<Candidate>& candidates) {
  for (const auto& knob : table.knobs) {
    bool set = false;
    for (const auto& name : knob.environment) {
      const auto found = run.environment.find(name);
      if (found == run.environment.end()) continue;
      const int score = score_of_variable(knob, reader_of(read, name));
      if (score == 0) continue;
      set = true;
      const Value value = read_scalar(found->second, Dialect::kWords);
      candidates.push_back({.knob = knob.name,
                            .place = {.kind = Place::Kind::kEnvironment, .key = name, .end = found->second.size()},
                            .value = value,
                            .found = value,
                            .match = {&knob, nullptr},
                            .fixed = {},
                            .shared = {},
                            .score = score,
                            .evidence = {name + " is set in the environment"}});
    }
    if (set) continue;
    if (auto unset = unset_variable(knob, read)) candidates.push_back(*std::move(unset));
  }
}

void add_lens(const KnobTable& table, std::vector<Candidate>& candidates) {
  for (const auto& knob : table.knobs) {
    if (!knob.lens) continue;
    candidates.push_back({.knob = knob.name,
                          .place = {.kind = Place::Kind::kLens, .how = Place::How::kAbsent, .key = knob.name},
                          .value = {},
                          .found = {},
                          .match = {&knob, nullptr},
                          .fixed = {},
                          .shared = {},
                          .score = 0,
                          .evidence = {"the lens can override it"}});
  }
}

// The configuration that the command line names, whether it could be read or not.
std::string named_config(const std::vector<WantedFile>& wanted, const ReadFiles& read, const std::vector<std::string>& argv) {
  for (const auto& file : wanted) {
    const auto found = read.find(file.path);
    const bool named = file.reason == WantedFile::Reason::kCommandLine && found != read.end();
    if (named && found->second.document.format != Format::kShell) return file.path;
  }
  for (std::size_t i = 1; i < argv.size(); ++i) {
    if (argv[i].starts_with("--config-name=")) return slice(argv[i], argv[i].find('=') + 1);
    if ((argv[i - 1] == "--config-name" || argv[i - 1] == "-cn") && !is_flag(argv[i])) return argv[i];
  }
  return {};
}

// Trainer(accumulate_grad_batches=args.accum_batches): the flag --accum-batches decides, whatever it is called.
std::vector<Candidate> find_passed(const Surroundings& around,
                                   const CommandWords& command,
                                   const std::vector<DeclaredFlag>& declared,
                                   const std::vector<Candidate>& candidates) {
  static constexpr std::string_view kHolders = "args.opt.opts.options.FLAGS.flags.hparams.cfg.config.";
  std::vector<Candidate> passed;
  for (const auto& use : candidates) {
    if (use.place.kind != Place::Kind::kFile || use.fixed.empty()) continue;
    // G_opt.lr beside D_opt.lr: which of them is meant?
    const auto rival = std::find_if(candidates.begin(), candidates.end(), [&](const Candidate& other) {
      return &other != &use && other.knob == use.knob && other.place.file == use.place.file;
    });
    if (rival != candidates.end()) continue;
    const auto& document = around.read.find(use.place.file)->second.document;
    if (document.format != Format::kPython || use.place.entry >= document.entries.size()) continue;
    const std::string& refers = document.entries[use.place.entry].refers;
    const auto dot = refers.find('.');
    if (dot == refers.npos || kHolders.find(slice(std::string_view{refers}, 0, dot + 1)) == kHolders.npos) continue;
    auto flag = find_argument(around.table, around.run.argv, command, declared, around.reading, use.match, slice(refers, dot + 1));
    const auto known = [&](const Candidate& other) { return flag && other.knob == flag->knob && other.place == flag->place; };
    const bool again = std::any_of(candidates.begin(), candidates.end(), known) || std::any_of(passed.begin(), passed.end(), known);
    if (!flag || again) continue;
    flag->score += flag->place.how == Place::How::kAbsent ? kAbsentArgument : kGivenArgument;
    flag->evidence.push_back(printable(use.place.file) + " passes it on");
    passed.push_back(*std::move(flag));
  }
  return passed;
}

// A value that several refer to is one place, as near as the nearest of them.
void add_once(std::vector<Candidate>& candidates, Candidate candidate) {
  for (auto& known : candidates) {
    const bool same = known.knob == candidate.knob && known.place.kind == candidate.place.kind &&
                      known.place.file == candidate.place.file && known.place.entry == candidate.place.entry;
    if (!same || known.place.kind != Place::Kind::kFile) continue;
    if (candidate.score > known.score) std::swap(known, candidate);
    return;
  }
  candidates.push_back(std::move(candidate));
}

}  // namespace

const Evidence::Seen* Evidence::find(std::string_view knob) const {
  const auto found = std::find_if(seen.begin(), seen.end(), [&](const Seen& fact) { return fact.knob == knob; });
  return found == seen.end() ? nullptr : &*found;
}

std::string to_string(const Place& place) {
  switch (place.kind) {
    case Place::Kind::kArgument: return "argv:" + place.key;
    case Place::Kind::kFile: return place.file + ":" + place.key;
    case Place::Kind::kEnvironment: return "env:" + place.key;
    case Place::Kind::kLens: return "lens:" + place.key;
    case Place::Kind::kGpu: return "gpu:" + place.key;
  }
  return {};
}

std::string in_words(const Place& place) {
  switch (place.kind) {
    case Place::Kind::kArgument: return place.key + " on the command line";
    case Place::Kind::kEnvironment: return place.key + " in the environment";
    case Place::Kind::kLens: return place.key + " in the running process";
    case Place::Kind::kGpu: return "of GPU " + place.key + ", in watts";
    case Place::Kind::kFile: break;
  }
  return to_string(place);
}

bool is_named(const Place& place, std::string_view name, Naming how) {
  if (place.kind == Place::Kind::kLens) return how == Naming::kWhole && to_string(place) == name;
  switch (how) {
    case Naming::kWhole: return to_string(place) == name || place.key == name || in_words(place) == name;
    case Naming::kFile: {
      const std::string file = "/" + place.file;
      return place.kind == Place::Kind::kFile &&
             (file.ends_with("/" + std::string{name}) || file.ends_with("/" + std::string{name} + ":" + place.key));
    }
    case Naming::kSection: {
      const auto parts = split(place.key, '.');
      return place.kind == Place::Kind::kFile &&
             (std::find(parts.begin(), parts.end(), name) != parts.end() ||
              place.key.starts_with(std::string{name} + ".") || place.key.starts_with(std::string{name} + "["));
    }
  }
  return false;
}

Found find_knobs(const KnobTable& table,
                 const RunCommand& run,
                 std::span<const SourceFile> files,
                 const Evidence& evidence) {
  Found found;
  ReadFiles read;
  read_files(files, read, found.problems);
  const CommandWords command = read_command(run.argv, table.config_flags);
  const auto wanted = run_files(table, run.argv, command, files, read);
  for (const auto& file : wanted) {
    const bool asked =
        std::any_of(files.begin(), files.end(), [&](const SourceFile& known) { return known.path == file.path; });
    if (!asked) found.wanted.push_back(file);
  }
  for (const auto& file : wanted) {
    const bool by_wrapper = format_of(file.by) == Format::kShell;  // bash train.sh names it, as a command line would
    const bool base = file.reason == WantedFile::Reason::kIncluded && !by_wrapper && read.contains(file.path);
    if (base) found.bases.push_back(file.path);
  }
  const auto behind = all_declared(read);
  found.reading = read_circumstances(table, run.argv, wanted, read, behind, evidence);

  const auto declared = takes_flags(command, read) ? behind : std::vector<DeclaredFlag>{};
  found.candidates = find_in_arguments(table, run.argv, command, declared, found.reading);
  std::erase_if(found.candidates, [&](const Candidate& candidate) {  // BATCH_SIZE=8 that nobody reads
    const bool variable = candidate.match.alias == nullptr && !candidate.place.key.starts_with('-');
    return variable && score_of_variable(*candidate.match.knob, reader_of(read, candidate.place.key)) == 0;
  });
  for (auto& candidate : found.candidates) {
    const bool given = candidate.place.how != Place::How::kAbsent;
    candidate.score += given ? kGivenArgument : kAbsentArgument;
    if (given) candidate.evidence.insert(candidate.evidence.begin(), "set on the command line");
  }
  const Surroundings around{table, read, wanted, found.reading, run, named_config(wanted, read, run.argv)};
  for (const auto& file : wanted) {
    if (const auto content = read.find(file.path); content != read.end()) {
      for (auto& candidate : find_in_file(around, file, content->second)) add_once(found.candidates, std::move(candidate));
    }
  }
  for (auto& candidate : find_passed(around, command, declared, found.candidates)) found.candidates.push_back(std::move(candidate));
  find_additions(around, found.candidates);
  if (!takes_flags(command, read)) find_in_wrapper(around, behind, found.candidates);
  find_overrides(around, evidence, found.candidates);
  find_merged(around, found.candidates);
  find_in_environment(table, run, read, found.candidates);
  add_lens(table, found.candidates);
  // lr_backbone: 1e-5 is a learning rate, lr_backbone: resnet50 and train_lr: true are none; a rate of 0 waits for a
  // schedule to set it.
  std::erase_if(found.candidates, [](const Candidate& candidate) {
    if (candidate.match.alias == nullptr) return false;
    // auto_scale_lr = dict(base_batch_size=256) turns nothing on.
    if (candidate.knob == "scales_rate") return !std::holds_alternative<bool>(candidate.value);
    const auto number = as_number(candidate.value);
    if (candidate.match.alias->among_words) return number.value_or(0) <= 0;
    return candidate.knob == "learning_rate" && number == 0.0;
  });
  count_as_declared(found.candidates, declared, found.reading);
  count_as_divided(found.candidates, evidence, found.reading);
  refuse_products(found.candidates, read);
  refuse_true_defaults(found.candidates);
  refuse_unknown_counts(found.candidates, found.reading);
  refuse_short_flags(found.candidates, command, read);
  count_as_scaled(found.candidates, evidence, run.argv, read);
  rank(found.candidates, run.argv, command.script ? lexical(*command.script) : "", read, evidence);
  return found;
}

std::vector<const Candidate*> candidates_of(const Found& found, std::string_view knob) {
  std::vector<const Candidate*> some;
  for (const auto& candidate : found.candidates) {
    if (candidate.knob == knob) some.push_back(&candidate);
  }
  return some;
}

}  // namespace gputop::knobs
