#include "knobs/file_finder.hpp"

#include <algorithm>

#include "gputop/core/characters.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "knobs/current_values.hpp"
#include "knobs/layers.hpp"
#include "knobs/paths.hpp"
#include "knobs/python_literal.hpp"
#include "knobs/references.hpp"

namespace gputop::knobs {
namespace {

using Reason = WantedFile::Reason;

std::string reason_text(const WantedFile& file) {
  switch (file.reason) {
    case Reason::kCommandLine: return "the command line names " + file.path;
    case Reason::kIncluded: return file.by + " includes " + file.path;
    case Reason::kImported: return file.by + " imports " + file.path;
    case Reason::kScript: return file.path + " is the script";
    case Reason::kMentioned: return file.by + " mentions " + file.path;
  }
  return {};
}

// --batch-size 8, -b 8, BATCH_SIZE=8, data.batch_size=8 in a shell script.
std::optional<Match> match_word(const KnobTable& table, std::string_view name, const std::set<std::string>& names) {
  name = slice(name, 0, name.find('#'));
  for (const auto& knob : table.knobs) {
    const bool flag = std::find(knob.flags.begin(), knob.flags.end(), name) != knob.flags.end();
    const bool variable = std::find(knob.environment.begin(), knob.environment.end(), name) != knob.environment.end();
    if (flag || variable) return Match{&knob, nullptr};
  }
  skip_front(name, name.find_first_not_of("-+"));
  return match(table, {std::string{name}}, names);
}

// A name in `text` by which the knob is known: args.batch_size, config["batch_size"].
bool says_own_name(const Knob& knob, std::string_view text) {
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? char_at(text, i) : ' ';
    const bool part = is_alnum(c) || c == '_';
    if (part) {
      word += c;
      continue;
    }
    const bool named = std::any_of(knob.names.begin(), knob.names.end(), [&](const Alias& alias) {
      return !alias.among_words && alias.parts.back() == simplified(word);
    });
    if (named && !word.empty()) return true;
    word.clear();
  }
  return false;
}

// It uses a setting that is made elsewhere: batch_size=args.batch_size, --batch-size "$BATCH_SIZE".
bool is_use(const Surroundings& around,
            const Knob& knob,
            const WantedFile& file,
            const Entry& entry,
            std::string_view raw,
            Format format) {
  if (entry.fixed == kParameter) return true;
  if (format == Format::kShell) {  // a variable that is set, or that has a default
    const auto& variables = knob.environment;
    return std::find(variables.begin(), variables.end(), entry.refers) != variables.end() &&
           (entry.fixed.empty() || around.run.environment.contains(entry.refers));
  }
  if (format != Format::kPython || !entry.fixed.starts_with("an expression")) return false;
  // In a configuration arithmetic makes a value; in a script it turns what was given into what is needed.
  const bool pure = !entry.refers.empty() || raw.find("environ") != raw.npos || raw.find("getenv") != raw.npos;
  return (pure || file.reason == Reason::kScript) && says_own_name(knob, raw);
}

std::set<std::string> all_names(const Document& document) {
  std::set<std::string> names;
  for (const auto& entry : document.entries) {
    for (const auto& part : entry.path) {
      for (const auto& each : split(part, '.')) names.insert(simplified(each));
    }
    const bool says = std::holds_alternative<std::string>(entry.value) || std::holds_alternative<bool>(entry.value);
    constexpr std::size_t kLongestWord = 32;
    if (const auto word = says ? to_text(entry.value) : ""; says && word.size() <= kLongestWord) {
      names.insert(simplified(entry.path.back() + "=" + word));
    }
  }
  return names;
}

// Why a file that was found is not where this run's settings are made; "" when it is.
std::string not_in_force(const Surroundings& around, const WantedFile& file) {
  if (around.named_config.empty() || around.named_config == file.path) return {};
  // A module beside the script is the project's own; one of a package is a library's, or as good as that.
  const bool own = std::any_of(around.wanted.begin(), around.wanted.end(), [&](const WantedFile& other) {
    return other.reason == Reason::kScript && folder_of(other.path) == folder_of(file.path);
  });
  if (file.reason == Reason::kImported && !own) {
    return "a default in the code: this run's settings are in " + around.named_config + ", which does not set it";
  }
  const bool by_script = file.by.ends_with(".py") && file.reason == Reason::kMentioned;
  return by_script ? "only mentioned by " + file.by + ": this run reads " + around.named_config : "";
}

// A field of a dataclass in the script, beside a configuration of another kind that is named and read into it.
bool is_field_default(const Surroundings& around, const WantedFile& from, const ReadFile& content, const Entry& entry) {
  const auto config = around.read.find(around.named_config);
  return from.reason == Reason::kScript && content.document.format == Format::kPython && entry.path.size() == 2 &&
         config != around.read.end() && config->second.document.format != Format::kPython &&
         content.text.find("@dataclass") != std::string::npos && !entry.path.front().ends_with("()");
}

// def __init__(self, amp=False) of a class that is made with Trainer(…, amp=cfg.amp): the default says nothing. The file
// with that call; "" when there is none.
std::string passed_by(const Surroundings& around, const Entry& entry) {
  const auto& path = entry.path;
  if (path.size() < 2) return {};
  const bool made = path[path.size() - 2] == "__init__" && path.size() > 2;
  const std::string call = path[path.size() - (made ? 3 : 2)] + "()";
  for (const auto& [name, file] : around.read) {
    if (file.document.format != Format::kPython) continue;
    const auto& entries = file.document.entries;
    const bool passes = std::any_of(entries.begin(), entries.end(), [&](const Entry& other) {
      return other.path.size() > 1 && other.path.back() == path.back() && other.path[other.path.size() - 2] == call &&
             !other.fixed.empty();
    });
    if (passes) return name;
  }
  return {};
}

// "SGD" of torch.optim.SGD(model.parameters(), args.lr); nothing where it is no optimizer that is known.
Value optimizer_made(std::string_view call) {
  const auto name = slice(call, 0, call.find('('));
  const auto last = slice(name, name.rfind('.') == name.npos ? 0 : name.rfind('.') + 1);
  if (name.size() == call.size() || !optimizer_named(last)) return {};
  return std::string{last};
}

Candidate candidate_at(const Surroundings& around, const WantedFile& from, const Match& what, const EntryAt& at) {
  const ReadFile& content = around.read.find(at.file)->second;
  const Entry& entry = content.document.entries[at.entry];
  const bool command = content.document.format == Format::kShell;
  Candidate candidate{.knob = what.knob->name,
                      .place = {.kind = Place::Kind::kFile,
                                .file = at.file,
                                .key = joined(entry.path),
                                .line = entry.line,
                                .entry = at.entry,
                                .begin = entry.begin,
                                .end = entry.end},
                      .value = what.alias != nullptr ? meant(what, entry.value, around.reading) : entry.value,
                      .found = entry.value,
                      .match = what,
                      .fixed = entry.fixed,
                      .shared = entry.shared,
                      .score = command ? kInCommand : nearness(from),
                      .evidence = {reason_text(from)}};
  candidate.place.path = entry.path;
  if (what.knob->name == "optimizer" && content.document.format == Format::kPython && !entry.fixed.empty()) {
    candidate.value = optimizer_made(slice(std::string_view{content.text}, entry.begin, entry.end - entry.begin));
  }
  if (entry.presence) candidate.place.key = entry.path.front();
  if (candidate.fixed.empty()) candidate.fixed = not_in_force(around, from);
  if (candidate.fixed.empty() && is_field_default(around, from, content, entry)) {
    candidate.fixed = "a default in the code: this run's settings are in " + around.named_config + ", which does not set it";
  }
  if (content.document.format == Format::kPython && candidate.fixed.empty()) {
    const auto caller = passed_by(around, entry);
    if (!caller.empty()) candidate.fixed = "only a default: " + caller + " passes another value";
  }
  const bool nothing = std::holds_alternative<std::monostate>(candidate.value);
  if (candidate.fixed.empty() && !nothing && !what.knob->read_only && !check_value(*what.knob, candidate.value)) {
    candidate.fixed = "says \"" + printable(to_text(candidate.found)) + "\", which is decided elsewhere";
    candidate.defers = candidate.found == Value{std::string{"auto"}};
  }
  return candidate;
}

// Whatever else refers to the value at `at` in the file of `from`, and is not this knob; "" when nothing does.
std::string other_users(const Surroundings& around,
                        const EntryAt& from,
                        const EntryAt& at,
                        const Knob& knob,
                        const std::set<std::string>& names) {
  const auto& entries = around.read.find(at.file)->second.document.entries;
  std::string users;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const EntryAt user{at.file, i};
    if (user == at || user == from || entries[i].fixed.empty() || stands_at(around, user) != at) continue;
    const auto what = match(around.table, entries[i].path, names);
    const bool between = from.file == at.file && entries[from.entry].stands_at == i;
    if (!between && (!what || what->knob != &knob)) {
      users += (users.empty() ? "is used by " : ", ") + printable(joined(entries[i].path));
    }
  }
  return users;
}

// --fp16, and --fp16 true; but of --fp16 data/ only the flag.
bool is_said_so(const Match& what, const Entry& entry, const Entry* next, const Surroundings& around) {
  const bool alone = stands_alone(what);
  const bool valued = next != nullptr && !next->presence && next->path.front() == entry.path.front() &&
                      says_switch(what, next->value, around.reading);
  if (entry.presence) return alone && !valued;
  return !alone || says_switch(what, entry.value, around.reading);
}

}  // namespace

std::vector<Candidate> find_in_file(const Surroundings& around, const WantedFile& file, const ReadFile& content) {
  std::vector<Candidate> found;
  const auto names = all_names(content.document);
  const auto& entries = content.document.entries;
  const std::string_view text = content.text;
  const Format format = content.document.format;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    const auto what = format == Format::kShell ? match_word(around.table, entry.path.front(), names)
                                               : match(around.table, entry.path, names);
    if (!what) continue;
    if (format == Format::kShell && !is_said_so(*what, entry, i + 1 < entries.size() ? &entries[i + 1] : nullptr, around)) continue;
    const EntryAt here{file.path, i};
    const auto at = stands_at(around, here);
    if (!at || *at == here) {
      // opt = parser.parse_args()
      const bool arguments = format == Format::kPython && what->knob->name == "optimizer" && simplified(entry.path.back()) == "opt" &&
                             !entry.fixed.empty();
      const bool made = what->knob->name == "optimizer" && format == Format::kPython &&
                        !std::holds_alternative<std::monostate>(optimizer_made(slice(text, entry.begin, entry.end - entry.begin)));
      if (arguments || (!made && is_use(around, *what->knob, file, entry, slice(text, entry.begin, entry.end - entry.begin), format))) continue;
      found.push_back(candidate_at(around, file, *what, here));
      continue;
    }
    const ReadFile& target = around.read.find(at->file)->second;
    const Entry& decides = target.document.entries[at->entry];
    const auto raw = slice(std::string_view{target.text}, decides.begin, decides.end - decides.begin);
    // lr = get_lr(it) if decay_lr else learning_rate, and param_group["lr"] = lr
    const bool worked_out = format == Format::kPython && is_use(around, *what->knob, file, decides, raw, format);
    if (decides.fixed == kParameter || worked_out) continue;
    const bool known = std::any_of(found.begin(), found.end(), [&](const Candidate& other) {
      return other.knob == what->knob->name && other.place.file == at->file && other.place.entry == at->entry;
    });
    if (known) continue;
    found.push_back(candidate_at(around, file, *what, *at));
    found.back().evidence.push_back(joined(entry.path) + " refers to it");
    const auto named = format == Format::kShell ? std::nullopt : match(around.table, decides.path, names);
    if (named && named->knob != what->knob) {
      found.back().shared = "is " + named->knob->name + ", too: " + joined(entry.path) + " only refers to it";
    }
    if (found.back().shared.empty()) found.back().shared = other_users(around, here, *at, *what->knob, names);
  }
  // accelerate's own file: what the script says counts before it.
  if (names.contains("distributedtype") && names.contains("numprocesses")) {
    for (auto& candidate : found) {
      if (candidate.knob != "precision") continue;
      candidate.of_launcher = true;
      candidate.score = kLauncher - 1;
    }
  }
  // Trainers compare DeepSpeed's file with their own arguments, and stop where they differ.
  const auto& frameworks = around.reading.frameworks;
  const bool compared = frameworks.contains("hf") || frameworks.contains("axolotl") || frameworks.contains("llamafactory");
  if (compared && names.contains("zerooptimization")) {
    for (auto& candidate : found) candidate.agrees = true;
  }
  return found;
}

}  // namespace gputop::knobs
