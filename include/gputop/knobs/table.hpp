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

// Whose samples, steps or processes a value counts.
enum class Whose : std::uint8_t { kRank, kNode, kAll };

// How a project says a knob's words: {"fp32", "32-true"}. Several projects may use the same words differently.
struct Vocabulary {
  std::vector<std::string> of;  // frameworks that speak it; empty: anybody
  std::vector<std::pair<std::string, Value>> words;  // the knob's own word, the project's

  [[nodiscard]] const Value* saying(std::string_view word) const;
  [[nodiscard]] const std::string* meaning(const Value& found) const;
};

// What tells which framework reads a configuration: all of the signs of one line.
struct FrameworkSign {
  std::string framework;
  std::vector<std::string> keys;   // ends of keys' paths, simplified and joined by "."
  std::vector<std::string> texts;  // in a file's bytes
  std::vector<std::string> words;  // of the command line, without folder and ending
};

// What a framework reads where nothing says it yet, and where a new setting goes.
struct Home {
  std::string framework;
  std::vector<std::string> beside;  // keys and flags that are the framework's own
  std::vector<std::string> calls;   // "TrainingArguments"
  std::string flags;                // "--" or "=": how it is said on the command line; "": not at all
  std::vector<std::pair<std::string, std::string>> names;  // knob → name
};

// What is known of a run before a value is read: who reads it, and how many ranks there are.
struct Reading {
  std::set<std::string, std::less<>> frameworks;
  std::optional<std::uint64_t> ranks;  // nullopt: not known
  std::optional<std::uint64_t> ranks_of_node;
  std::string ranks_from;  // what says so, for people
  bool several = false;    // it is started as several of them, however many

  [[nodiscard]] std::uint64_t counted_by(Whose whose) const;  // ranks that a value counts together; 1 where not known
};

// One name of a knob. Dotted names ("optimizer.lr") match the end of a key's path.
struct Alias {
  std::vector<std::string> parts;  // simplified, outermost first
  std::string text;                // as the table has it
  Whose whose = Whose::kRank;      // of a knob that is counted per rank
  bool among_words = false;        // any key with this among its words: one of several settings of the kind
  // Means this knob only where no key of the (simplified) name `unless` is in the same text, or where one of the name
  // `only_with` is.
  std::vector<std::string> unless;
  std::vector<std::string> only_with;
  std::vector<Vocabulary> spelled;  // how the knob's words are said under this name; empty: as they are
};

struct Knob {
  std::string name;  // "batch_size"
  std::string about;
  ValueType type = ValueType::kInteger;
  std::optional<double> least;
  std::optional<double> most;
  std::vector<std::string> words;  // of a kWord knob: what it may be; empty: anything
  std::optional<Vocabulary> plain;  // how they are said where nothing else is known
  std::vector<Alias> names;
  std::vector<std::string> not_beside;   // words that give a name by a word another meaning
  std::vector<std::string> flags;        // "-b"
  std::vector<std::string> environment;  // the first may be set where none is
  bool settable_by_environment = false;  // the variable means something even when the script does not read it
  bool lens = false;                     // the lens can override it
  bool in_other_sections = false;        // its names count below "val", "eval" and the like only
  bool read_only = false;                // a fact that is looked up, never changed
  std::string estimate;                  // the estimator's key for it; "" when it has none
};

struct KnobTable {
  std::vector<Knob> knobs;
  std::vector<std::string> config_flags;    // "--config", "-c": their value names a configuration file
  std::vector<std::string> config_modules;  // local Python modules worth reading: "config", "settings"
  std::vector<std::string> other_sections;  // "val", "eval": keys below these are other settings
  std::vector<std::string> dead_sections;   // "logging": keys below these are no settings of the training's at all
  std::vector<std::string> dead_calls;      // "map": what these calls are given is none, either
  std::vector<FrameworkSign> frameworks;
  std::vector<Home> homes;

  [[nodiscard]] const Knob* find(std::string_view name) const;  // by its own name
};

// Lower case without "_" and "-": batch_size, --batch-size, batchSize and BATCH_SIZE are one name.
std::string simplified(std::string_view name);

// val_loader, ValLoader and val.loader all have the word "val".
std::vector<std::string> words_of(std::string_view name);

struct Match {
  const Knob* knob = nullptr;
  const Alias* alias = nullptr;
  std::optional<Whose> whose = std::nullopt;  // where the script itself says whose it is

  [[nodiscard]] Whose counts() const { return whose.value_or(alias == nullptr ? Whose::kRank : alias->whose); }
};
// The knob that a key of this path sets, if any: the longest name that matches its end. Items of lists and calls in the
// path are looked through. nullopt below an "other section", too. `names`: all (simplified) names in the same text.
std::optional<Match> match(const KnobTable& table,
                           const std::vector<std::string>& path,
                           const std::set<std::string>& names = {});

// Says only which half precision is meant, once another says that it is: amp_dtype beside amp.
bool is_detail(const Match& match);

// Says how the weights are stored, not how they are trained: torch_dtype.
bool is_of_weights(const Match& match);

// A flag of this name may stand without a value: a switch, or words one of which is true.
bool stands_alone(const Match& match);
// Whether `next` is the value of such a flag: --fp16 true, but not --fp16 data/.
bool says_switch(const Match& match, const Value& next, const Reading& reading);

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

// What a file's value means in the knob's own words, and how a value of the knob is said there. Error: the project's
// word for it is not known, or it has none.
Value meant(const Match& match, const Value& found, const Reading& reading);
Result<Value> said(const Match& match, const Value& found, const Value& value, const Reading& reading);

}  // namespace gputop::knobs
