#include "knobs/additions.hpp"

#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "knobs/layers.hpp"
#include "knobs/paths.hpp"

namespace gputop::knobs {
namespace {

using Path = std::vector<std::string>;
using Reason = WantedFile::Reason;

struct Spot {
  Path section;
  std::size_t neighbour = 0;
};

bool ends_with_name(const Path& path, std::string_view name) {
  const auto parts = split(name, '.');
  return parts.size() <= path.size() &&
         std::equal(parts.rbegin(), parts.rend(), path.rbegin(),
                    [](const auto& a, const auto& b) { return simplified(a) == simplified(b); });
}

Path section_of(const Path& path) {
  return {path.begin(), path.end() - 1};
}

// Beside the first of the framework's own keys that is there.
std::optional<Spot> spot_among_keys(const Home& home, const Document& document) {
  for (const auto& name : home.beside) {
    for (std::size_t i = 0; i < document.entries.size(); ++i) {
      if (ends_with_name(document.entries[i].path, name)) return Spot{section_of(document.entries[i].path), i};
    }
  }
  return std::nullopt;
}

// _target_: lightning.pytorch.trainer.Trainer: what stands beside it are that call's arguments.
std::optional<Spot> spot_of_target(const Home& home, const Document& document) {
  for (std::size_t i = 0; i < document.entries.size(); ++i) {
    const Entry& entry = document.entries[i];
    const auto* target = std::get_if<std::string>(&entry.value);
    if (target == nullptr || entry.path.back() != "_target_") continue;
    const auto name = slice(*target, target->rfind('.') == target->npos ? 0 : target->rfind('.') + 1);
    if (std::find(home.calls.begin(), home.calls.end(), name) != home.calls.end()) return Spot{section_of(entry.path), i};
  }
  return std::nullopt;
}

// In a script that starts one run with flags of the framework's own: beside the first of them.
std::optional<Spot> spot_in_wrapper(const Home& home, const Document& document) {
  if (home.flags != "--") return std::nullopt;
  for (const auto& name : home.beside) {
    std::optional<Spot> spot;
    for (std::size_t i = 0; i < document.entries.size(); ++i) {
      const Entry& entry = document.entries[i];
      if (entry.presence || !entry.path.front().starts_with("--") || simplified(entry.path.front()) != simplified(name))
        continue;
      if (spot) return std::nullopt;  // two commands: whose would it be?
      spot = Spot{{}, i};
    }
    if (spot) return spot;
  }
  return std::nullopt;
}

bool is_other(const KnobTable& table, std::string_view text) {
  for (const auto& word : words_of(text)) {
    if (std::find(table.other_sections.begin(), table.other_sections.end(), word) != table.other_sections.end()) {
      return true;
    }
  }
  return false;
}

// Trainer(**options): what it is given already is not known, and given twice is an error.
bool takes_mapping(const ReadFile& file, const Path& section) {
  const auto& entries = file.document.entries;
  return std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
    const auto raw = slice(std::string_view{file.text}, entry.begin, entry.end - entry.begin);
    return section_of(entry.path) == section && raw.starts_with("**");
  });
}

// In each call of that name, behind its last argument; those of validation are not meant.
std::vector<Spot> spots_in_calls(const KnobTable& table, const Home& home, const ReadFile& file) {
  std::vector<Spot> spots;
  const auto& entries = file.document.entries;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    if (entry.path.size() < 2) continue;
    const std::string& call = entry.path[entry.path.size() - 2];
    const bool named = call.ends_with("()") &&
                       std::find(home.calls.begin(), home.calls.end(), slice(call, 0, call.size() - 2)) != home.calls.end();
    if (!named || takes_mapping(file, section_of(entry.path))) continue;
    const Path section = section_of(entry.path);
    const std::string_view raw = slice(std::string_view{file.text}, entry.begin, entry.end - entry.begin);
    const bool first = std::none_of(spots.begin(), spots.end(), [&](const Spot& spot) { return spot.section == section; });
    if (first) {
      const bool other = is_other(table, joined(section)) || (entry.path.back().starts_with('[') && is_other(table, raw));
      if (other) {
        // A whole call is left out, not only its first argument.
        while (i + 1 < entries.size() && entries[i + 1].path.size() > section.size() &&
               std::equal(section.begin(), section.end(), entries[i + 1].path.begin())) {
          ++i;
        }
        continue;
      }
      spots.push_back({section, i});
    } else {
      spots.back().neighbour = i;
    }
  }
  return spots;
}

Candidate absent(const Match& what, Place place, std::string why) {
  return {.knob = what.knob->name,
          .place = std::move(place),
          .value = {},
          .found = {},
          .match = what,
          .fixed = {},
          .shared = {},
          .score = kAddition,
          .evidence = {std::move(why)}};
}

std::optional<Match> match_named(const KnobTable& table, const std::string& knob, const std::string& name) {
  const Knob* found = table.find(knob);
  if (found == nullptr) return std::nullopt;
  const auto alias = std::find_if(found->names.begin(), found->names.end(),
                                  [&](const Alias& each) { return !each.among_words && each.text == name; });
  if (alias == found->names.end()) return std::nullopt;
  return Match{found, &*alias};
}

class Adder {
 public:
  Adder(const Surroundings& around, std::vector<Candidate>& candidates)
      : around_(around), candidates_(candidates), known_(candidates.size()) {}

  void add(const Home& home) {
    const bool own_flags = declares_its_own(home);
    for (const auto& file : around_.wanted) {
      const auto found = around_.read.find(file.path);
      if (found == around_.read.end()) continue;
      const Format format = found->second.document.format;
      if (format == Format::kPython) {
        if (file.reason != Reason::kScript && file.reason != Reason::kCommandLine) continue;
        for (const auto& spot : spots_in_calls(around_.table, home, found->second)) in_file(home, file.path, spot);
      } else if (format == Format::kShell) {
        const auto spot = own_flags ? std::nullopt : spot_in_wrapper(home, found->second.document);
        if (spot) in_file(home, file.path, *spot, "--");
      } else if (file.reason == Reason::kCommandLine || file.reason == Reason::kIncluded) {
        const auto spot = spot_of_target(home, found->second.document);
        if (spot) in_file(home, file.path, *spot);
        const bool named = file.reason == Reason::kCommandLine && !spot;
        if (const auto among = spot_among_keys(home, found->second.document); named && among) in_file(home, file.path, *among);
      }
    }
    if (!home.flags.empty() && !own_flags) on_command_line(home);
  }

 private:
  // The script declares --per_device_train_batch_size itself: it takes what it declares, and nothing else.
  [[nodiscard]] bool declares_its_own(const Home& home) const {
    return std::any_of(around_.read.begin(), around_.read.end(), [&](const auto& file) {
      if (file.second.document.format != Format::kPython) return false;
      const auto flags = declared_flags(file.second.document);
      return std::any_of(flags.begin(), flags.end(), [&](const DeclaredFlag& flag) {
        return std::any_of(home.beside.begin(), home.beside.end(),
                           [&](const std::string& each) { return simplified(each) == simplified(flag.name); });
      });
    });
  }

  [[nodiscard]] bool is_known(const Match& what, const Place& place) const {
    return std::any_of(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(known_),
                       [&](const Candidate& other) {
                         const bool argument = place.kind == Place::Kind::kArgument && other.place.kind == place.kind;
                         return other.match.alias == what.alias &&
                                (argument || (other.place.file == place.file && other.place.key == place.key));
                       });
  }

  void in_file(const Home& home, const std::string& file, const Spot& spot, const std::string& dashes = {}) {
    for (const auto& [knob, name] : home.names) {
      const auto what = match_named(around_.table, knob, name);
      if (!what) continue;
      Place place{.kind = Place::Kind::kFile, .how = Place::How::kAbsent, .file = file, .entry = spot.neighbour};
      place.path = spot.section;
      place.path.push_back(dashes + name);
      place.key = joined(place.path);
      if (is_known(*what, place)) continue;
      for (std::size_t i = 0; i < known_; ++i) {  // fp16 beside bf16
        const auto& other = candidates_[i];
        const bool sibling = other.knob == knob && other.place.file == file && other.place.how == Place::How::kReplace &&
                             other.place.path.size() == place.path.size() &&
                             std::equal(place.path.begin(), place.path.end() - 1, other.place.path.begin());
        if (sibling) place.entry = other.place.entry;
      }
      candidates_.push_back(absent(*what, std::move(place), home.framework + " reads " + name + ", which is not there yet"));
    }
  }

  // Behind flags of its own only: that it takes them is known.
  void on_command_line(const Home& home) {
    const auto& argv = around_.run.argv;
    const bool own = std::any_of(argv.begin(), argv.end(), [&](const std::string& word) {
      const std::string name = slice(word, 0, word.find('='));
      const bool flag = home.flags == "--" ? name.starts_with("--") : word.find('=') != word.npos;
      return flag && std::any_of(home.beside.begin(), home.beside.end(),
                                 [&](const std::string& each) { return simplified(each) == simplified(name); });
    });
    if (!own) return;
    for (const auto& [knob, name] : home.names) {
      const auto what = match_named(around_.table, knob, name);
      if (!what) continue;
      Place place{.kind = Place::Kind::kArgument, .how = Place::How::kAbsent};
      place.key = home.flags == "--" ? "--" + name : name + "=";
      place.word = argv.size();
      if (is_known(*what, place)) continue;
      candidates_.push_back(absent(*what, std::move(place), home.framework + " takes " + name + ", which was not given"));
    }
  }

  const Surroundings& around_;
  std::vector<Candidate>& candidates_;
  std::size_t known_;
};

}  // namespace

void find_additions(const Surroundings& around, std::vector<Candidate>& candidates) {
  Adder adder{around, candidates};
  for (const auto& home : around.table.homes) {
    if (around.reading.frameworks.contains(home.framework)) adder.add(home);
  }
}

void find_in_wrapper(const Surroundings& around,
                     const std::vector<DeclaredFlag>& declared,
                     std::vector<Candidate>& candidates) {
  const auto is_declared = [&](const Entry& entry) {
    return std::any_of(declared.begin(), declared.end(), [&](const DeclaredFlag& flag) {
      return std::find(flag.names.begin(), flag.names.end(), entry.path.front()) != flag.names.end();
    });
  };
  const std::size_t known = candidates.size();
  for (const auto& file : around.wanted) {
    const auto found = around.read.find(file.path);
    if (found == around.read.end() || found->second.document.format != Format::kShell) continue;
    const auto& entries = found->second.document.entries;
    const auto first = std::find_if(entries.begin(), entries.end(), is_declared);
    // The same flag twice: two commands, and whose would it be?
    const bool twice = first != entries.end() && std::count_if(entries.begin(), entries.end(), [&](const Entry& each) {
                                                   return each.presence == first->presence &&
                                                          simplified(each.path.front()) == simplified(first->path.front());
                                                 }) > 1;
    if (first == entries.end() || twice) continue;
    for (const auto& flag : declared) {
      const auto what = flag.name.starts_with("--")
                            ? match(around.table, split(slice(std::string_view{flag.name}, 2), '.'))
                            : std::nullopt;
      const auto said = [&](const Candidate& other) {
        return what && other.knob == what->knob->name && other.place.file == file.path;
      };
      if (!what || std::any_of(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(known), said)) continue;
      Place place{.kind = Place::Kind::kFile, .how = Place::How::kAbsent, .file = file.path};
      place.entry = static_cast<std::size_t>(first - entries.begin());
      place.path = flag.is_switch ? Path{flag.name, "[present]"} : Path{flag.name};
      place.key = flag.name;
      auto candidate = absent(*what, std::move(place), "the script takes " + flag.name + ", which was not given");
      candidate.found = flag.is_switch && std::holds_alternative<std::monostate>(flag.fallback) ? Value{false} : flag.fallback;
      candidate.value = meant(*what, candidate.found, around.reading);
      candidates.push_back(std::move(candidate));
    }
  }
}

namespace {

// A variable of a base is gone once the base was read: what it was used for is overridden. `optimizer = dict(lr=0.01)`
// with optim_wrapper = dict(optimizer=optimizer) is optim_wrapper.optimizer.lr.
Path used_at(const KnobTable& table, const Document& document, const Candidate& candidate) {
  const Path& own = document.entries[candidate.place.entry].path;
  if (document.format != Format::kPython || own.empty()) return own;
  for (const auto& entry : document.entries) {
    // test_dataloader = val_dataloader is another setting with the same value.
    if (entry.refers != own.front() || entry.path.size() < 2 || entry.path.front() == own.front()) continue;
    Path used = entry.path;
    used.insert(used.end(), own.begin() + 1, own.end());
    const auto what = match(table, used);
    if (what && what->knob == candidate.match.knob) return used;
  }
  return own;
}

// Not there yet, in the configuration that the command line names; nullopt where that says it itself.
std::optional<Candidate> override_of(const Surroundings& around,
                                     const std::vector<Candidate>& candidates,
                                     const Candidate& base,
                                     const Path& path,
                                     std::vector<std::string> evidence) {
  const bool plain = !path.empty() && std::none_of(path.begin(), path.end(), [](const std::string& part) {
    return part.starts_with('[') || part.ends_with("()") || part.find('#') != part.npos;
  });
  if (!plain || !around.read.contains(around.named_config)) return std::nullopt;
  const std::string key = joined(path);
  const bool said = std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& other) {
    return other.knob == base.knob && other.place.file == around.named_config && other.place.key == key;
  });
  if (said) return std::nullopt;
  Candidate over = base;
  over.place = {.kind = Place::Kind::kFile, .how = Place::How::kAbsent, .file = around.named_config};
  over.place.path = path;
  over.place.key = key;
  over.place.entry = static_cast<std::size_t>(-1);
  over.overrides = true;
  over.shared.clear();
  over.score += 1;
  over.evidence = std::move(evidence);
  return over;
}

// _C.DATA.NUM_WORKERS = 8 of yacs is DATA.NUM_WORKERS in the configuration that is merged into it.
Path merged_as(const Surroundings& around, const Place& place) {
  const auto file = around.read.find(place.file);
  const auto config = around.read.find(around.named_config);
  if (place.kind != Place::Kind::kFile || file == around.read.end() || config == around.read.end()) return {};
  if (file->second.document.format != Format::kPython || place.path.size() < 2) return {};
  // _C = CN(), of `from yacs.config import CfgNode as CN`
  const auto& entries = file->second.document.entries;
  const bool defaults = file->second.text.find("CfgNode") != std::string::npos &&
                        std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
                          return entry.path.size() == 1 && entry.path.front() == place.path.front() && !entry.fixed.empty();
                        });
  if (!defaults || config->second.document.format != Format::kYaml) return {};
  return {place.path.begin() + 1, place.path.end()};
}

}  // namespace

void find_merged(const Surroundings& around, std::vector<Candidate>& candidates) {
  const std::size_t known = candidates.size();
  for (std::size_t i = 0; i < known; ++i) {
    const Path path = merged_as(around, candidates[i].place);
    if (path.empty()) continue;
    for (std::size_t k = 0; k < known; ++k) {  // if args.no_amp: config.AMP = False, in a function of the same file
      const Place& set = candidates[k].place;
      const bool by_code = set.file == candidates[i].place.file && candidates[k].knob == candidates[i].knob &&
                           set.path.front() != candidates[i].place.path.front();
      if (by_code) candidates[k].score = kAddition;
    }
    candidates[i].fixed = "the default of every configuration here: " + around.named_config + " is merged into it";
    auto over = override_of(around, candidates, candidates[i], path,
                            {"overrides the default in " + candidates[i].place.file + " for this configuration only"});
    if (!over) continue;
    over->fixed.clear();
    candidates.push_back(*std::move(over));
  }
}

void find_overrides(const Surroundings& around, const Evidence& evidence, std::vector<Candidate>& candidates) {
  const std::size_t known = candidates.size();
  for (std::size_t i = 0; i < known; ++i) {
    const Place& place = candidates[i].place;
    const auto users = std::find_if(evidence.shared_files.begin(), evidence.shared_files.end(),
                                    [&](const auto& each) { return each.first == place.file; });
    if (place.kind != Place::Kind::kFile || users == evidence.shared_files.end()) continue;
    const std::string base =
        name_of(place.file) + (users->second > 1 ? " is the base of " + std::to_string(users->second) + " configs here"
                                                 : " is a configuration of its own");
    candidates[i].evidence.push_back(base);
    const Path path = used_at(around.table, around.read.find(place.file)->second.document, candidates[i]);
    if (candidates[i].shared.empty()) candidates[i].shared = base;
    if (!candidates[i].fixed.empty()) continue;
    auto over = override_of(around, candidates, candidates[i], path,
                            {"overrides " + candidates[i].place.file + " for this configuration only", base});
    if (over) candidates.push_back(*std::move(over));
  }
}

}  // namespace gputop::knobs
