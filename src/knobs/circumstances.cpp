#include "knobs/circumstances.hpp"

#include <algorithm>
#include <map>

#include "gputop/core/characters.hpp"
#include "gputop/core/scan.hpp"
#include "knobs/numbers.hpp"
#include "knobs/paths.hpp"

namespace gputop::knobs {
namespace {

using Reason = WantedFile::Reason;

bool ends_with_key(const std::vector<std::string>& path, const std::vector<std::string>& key) {
  std::vector<std::string> parts;
  for (const auto& part : path) {
    if (!part.starts_with('[') && !part.ends_with("()")) parts.push_back(simplified(part));
  }
  return key.size() <= parts.size() && std::equal(key.rbegin(), key.rend(), parts.rbegin(),
                                                  [](const auto& a, const auto& b) { return simplified(a) == b; });
}

class Signs {
 public:
  Signs(const std::vector<std::string>& argv, const std::vector<WantedFile>& wanted, const ReadFiles& read)
      : argv_(argv), wanted_(wanted), read_(read) {}

  [[nodiscard]] bool hold(const FrameworkSign& sign) const {
    const auto has_word = [&](const std::string& word) { return has(word); };
    const auto has_text = [&](const std::string& text) {
      return any_file([&](const ReadFile& file) { return file.text.find(text) != std::string::npos; });
    };
    const auto has_key = [&](const std::string& key) {
      const auto parts = split(key, '.');
      return any_file([&](const ReadFile& file) {
        const auto& entries = file.document.entries;
        return std::any_of(entries.begin(), entries.end(),
                           [&](const Entry& entry) { return ends_with_key(entry.path, parts); });
      });
    };
    return std::all_of(sign.words.begin(), sign.words.end(), has_word) &&
           std::all_of(sign.texts.begin(), sign.texts.end(), has_text) &&
           std::all_of(sign.keys.begin(), sign.keys.end(), has_key);
  }

 private:
  // Of the words up to the script: torchrun, tune, accelerate.
  [[nodiscard]] bool has(const std::string& word) const {
    constexpr std::size_t kLauncherWords = 8;
    for (std::size_t i = 0; i < std::min(argv_.size(), kLauncherWords); ++i) {
      const std::string name = name_of(argv_[i]);
      if (name == word || slice(name, 0, name.rfind('.')) == word) return true;
    }
    return false;
  }
  template <class Test>
  [[nodiscard]] bool any_file(const Test& test) const {
    return std::any_of(wanted_.begin(), wanted_.end(), [&](const WantedFile& file) {
      const auto found = read_.find(file.path);
      return found != read_.end() && test(found->second);
    });
  }

  const std::vector<std::string>& argv_;
  const std::vector<WantedFile>& wanted_;
  const ReadFiles& read_;
};

struct Count {
  std::uint64_t value = 0;
  std::string from;
};
using Counts = std::map<std::string, Count, std::less<>>;  // by knob

std::optional<std::uint64_t> count_of(const Value& value) {
  const auto number = as_number(value);
  if (number && *number >= 1 && *number < 1e7) return static_cast<std::uint64_t>(*number);
  const auto* word = std::get_if<std::string>(&value);  // "0,1,2"
  if (word == nullptr || word->find(',') == word->npos) return std::nullopt;
  const auto parts = split(*word, ',');
  const bool numbers = std::all_of(parts.begin(), parts.end(), [](const auto& part) { return read_number(part); });
  return numbers ? std::optional{static_cast<std::uint64_t>(parts.size())} : std::nullopt;
}

bool is_counted(std::string_view knob) {
  return knob == "devices" || knob == "nodes" || knob == "world_size" || knob == "model_parallel";
}

// --gpus 8 is a number of them where its help says so; else it may name one.
bool counts_gpus(std::string_view name, const std::vector<DeclaredFlag>& declared) {
  const std::string plain = simplified(name);
  if (plain != "gpus" && plain != "gpu") return false;
  return std::any_of(declared.begin(), declared.end(), [&](const DeclaredFlag& flag) {
    const auto words = words_of(flag.help);
    const auto has = [&](std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); };
    return flag.name == "--" + std::string{name} && has("number") && has("gpus") && !has("ids") && !has("id");
  });
}

// --world-size 1 is one node where its help says so.
bool counts_nodes(std::string_view name, const std::vector<DeclaredFlag>& declared) {
  return std::any_of(declared.begin(), declared.end(), [&](const DeclaredFlag& flag) {
    return flag.name == "--" + std::string{name} && simplified(flag.help).find("number of nodes") != std::string::npos;
  });
}

// Launchers that start a process on each GPU they see, and scripts that do so themselves when they are told to.
bool starts_several(const std::vector<std::string>& argv, const CommandWords& command, const ReadFiles& read) {
  static constexpr std::string_view kLaunchers = " deepspeed accelerate composer mpirun mpiexec srun horovodrun ";
  for (std::size_t i = 0; i < std::min(command.first_argument, argv.size()); ++i) {
    if (kLaunchers.find(" " + name_of(argv[i]) + " ") != kLaunchers.npos) return true;
  }
  const bool spawns = std::any_of(read.begin(), read.end(), [](const auto& file) {
    return file.second.document.format == Format::kPython && file.second.text.find(".spawn(") != std::string::npos;
  });
  return spawns && std::any_of(argv.begin(), argv.end(), [](const std::string& word) {
    const auto words = words_of(slice(word, 0, word.find('=')));
    return word.starts_with("--") && std::any_of(words.begin(), words.end(), [](const std::string& each) {
      return each == "distributed" || each == "ddp" || each == "multiprocessing";
    });
  });
}

// --nproc_per_node=8, --num_processes 4: of the launcher and of the script alike.
// -d 8 is what the script declares it to be.
void count_words(const KnobTable& table,
                 const std::vector<std::string>& argv,
                 const std::vector<DeclaredFlag>& declared,
                 Counts& counts) {
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const auto equals = argv[i].find('=');
    std::string name = slice(argv[i], 0, equals);
    for (const auto& flag : declared) {
      if (std::find(flag.names.begin(), flag.names.end(), name) != flag.names.end()) name = flag.name;
    }
    name.erase(0, std::min(name.find_first_not_of("-+"), name.size()));
    auto what = match(table, split(name, '.'));
    if (!what && counts_gpus(name, declared)) what = match(table, {"num_gpus"});
    if (what && what->knob->name == "world_size" && counts_nodes(name, declared)) what = match(table, {"num_nodes"});
    if (!what || !is_counted(what->knob->name)) continue;
    // NUM_GPUS 4, as yacs has it
    const bool pair = std::none_of(argv[i].begin(), argv[i].end(), is_lower);
    const bool next = equals == std::string::npos && (argv[i].starts_with('-') || pair) && i + 1 < argv.size();
    if (equals == std::string::npos && !next) continue;
    const std::string text = next ? argv[i + 1] : slice(argv[i], equals + 1);
    if (const auto count = count_of(read_scalar(text, Dialect::kWords))) {
      counts[what->knob->name] = {*count, slice(argv[i], 0, equals) + " " + text};
    }
  }
}

// The nearest file that says it. devices: [0, 1, 2, 3] are four.
void count_entries(const KnobTable& table, const WantedFile& file, const Document& document, Counts& counts) {
  Counts own;
  std::uint64_t parallel = 1;
  for (const auto& entry : document.entries) {
    const auto what = match(table, entry.path);
    if (!what || !is_counted(what->knob->name)) continue;
    const auto count = count_of(entry.value);
    const std::string& knob = what->knob->name;
    const std::string from = joined(entry.path) + " in " + file.path;
    if (knob == "model_parallel") {
      parallel *= count.value_or(1);
      own[knob] = {parallel, from};
    } else if (entry.path.back().starts_with('[')) {
      own[knob].value += 1;
      own[knob].from = from;
    } else if (count) {
      own.try_emplace(knob, Count{*count, from});
    }
  }
  for (auto& [knob, count] : own) counts.try_emplace(knob, count);
}

}  // namespace

Reading read_circumstances(const KnobTable& table,
                           const std::vector<std::string>& argv,
                           const std::vector<WantedFile>& wanted,
                           const ReadFiles& read,
                           const std::vector<DeclaredFlag>& declared,
                           const Evidence& evidence) {
  Reading reading;
  const Signs signs{argv, wanted, read};
  for (const auto& sign : table.frameworks) {
    if (!reading.frameworks.contains(sign.framework) && signs.hold(sign)) reading.frameworks.insert(sign.framework);
  }
  Counts counts;
  count_words(table, argv, declared, counts);
  for (const auto& file : wanted) {
    const auto found = read.find(file.path);
    const bool config = file.reason == Reason::kCommandLine || file.reason == Reason::kIncluded;
    const bool wrapper = found != read.end() && found->second.document.format == Format::kShell;
    if (found != read.end() && (config || wrapper)) count_entries(table, file, found->second.document, counts);
  }
  const auto get = [&](std::string_view knob) {
    const auto found = counts.find(knob);
    return found == counts.end() ? nullptr : &found->second;
  };
  const auto* devices = get("devices");
  const auto* nodes = get("nodes");
  const auto* world = get("world_size");
  if (devices != nullptr) reading.ranks_of_node = devices->value;
  if (world != nullptr) {
    reading.ranks = world->value;
    reading.ranks_from = world->from;
  } else if (devices != nullptr) {
    reading.ranks = devices->value * (nodes != nullptr ? nodes->value : 1);
    reading.ranks_from = devices->from + (nodes != nullptr ? ", " + nodes->from : "");
  }
  reading.several = starts_several(argv, read_command(argv, table.config_flags), read);
  if (evidence.ranks) {
    reading.ranks = evidence.ranks;
    reading.ranks_from = "the run has " + std::to_string(*evidence.ranks);
  }
  const auto* parallel = get("model_parallel");
  if (parallel != nullptr && reading.ranks && *reading.ranks % parallel->value == 0) *reading.ranks /= parallel->value;
  return reading;
}

}  // namespace gputop::knobs
