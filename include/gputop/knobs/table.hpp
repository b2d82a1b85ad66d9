// What knobs there are and by which names projects know them: configs/knobs.yaml as values. Loading is config's job.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/knobs/value.hpp"

namespace gputop::knobs {

// One name of a knob. Dotted names ("optimizer.lr") match the end of a key's path.
struct Alias {
  std::vector<std::string> parts;  // simplified, outermost first
  std::string text;                // as the table has it
  bool total = false;              // counts all ranks together
  bool among_words = false;        // any key with this among its words: one of several settings of the kind
  // Means this knob only where no key of the (simplified) name `unless` is in the same text, or where one of the name
  // `only_with` is.
  std::string unless;
  std::string only_with;
  // How the knob's words are said under this name, in one or several manners: {"fp32", {"32-true", 32}}. Empty: as they
  // are.
  std::vector<std::pair<std::string, std::vector<Value>>> spelled;
};

struct Knob {
  std::string name;  // "batch_size"
  std::string about;
  ValueType type = ValueType::kInteger;
  std::optional<double> least;
  std::optional<double> most;
  std::vector<std::string> words;  // of a kWord knob: what it may be; empty: anything
  std::vector<Alias> names;
  std::vector<std::string> not_beside;   // words that give a name by a word another meaning
  std::vector<std::string> flags;        // "-b"
  std::vector<std::string> environment;  // the first may be set where none is
  bool settable_by_environment = false;  // the variable means something even when the script does not read it
  bool lens = false;                     // the lens can override it
};

struct KnobTable {
  std::vector<Knob> knobs;
  std::vector<std::string> config_flags;    // "--config", "-c": their value names a configuration file
  std::vector<std::string> config_modules;  // local Python modules worth reading: "config", "settings"
  std::vector<std::string> other_sections;  // "val", "eval": keys below these are other settings

  [[nodiscard]] const Knob* find(std::string_view name) const;  // by its own name
};

// Lower case without "_" and "-": batch_size, --batch-size, batchSize and BATCH_SIZE are one name.
std::string simplified(std::string_view name);

// val_loader, ValLoader and val.loader all have the word "val".
std::vector<std::string> words_of(std::string_view name);

struct Match {
  const Knob* knob = nullptr;
  const Alias* alias = nullptr;
};
// The knob that a key of this path sets, if any: the longest name that matches its end. Items of lists and calls in the
// path are looked through. nullopt below an "other section", too. `names`: all (simplified) names in the same text.
std::optional<Match> match(const KnobTable& table,
                           const std::vector<std::string>& path,
                           const std::set<std::string>& names = {});

// A knob by its own name or by any of its names: "num_workers" is "workers".
const Knob* resolve(const KnobTable& table, std::string_view name);

// "batch_size=48" checked against type and limits. The error names the knob and what it may be.
struct Setting {
  std::string knob;
  Value value;
  bool operator==(const Setting&) const = default;
};
Result<Setting> parse_setting(const KnobTable& table, std::string_view text);
Result<Value> check_value(const Knob& knob, const Value& value);

// What a file's value means in the knob's own words, and how a value of the knob is said there.
Value meant(const Match& match, const Value& found, std::uint64_t ranks);
Result<Value> said(const Match& match, const Value& found, const Value& value, std::uint64_t ranks);

}  // namespace gputop::knobs
