// A place where a knob may live, what it says there, and why it is believed to be the one in force.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gputop/knobs/run_code.hpp"
#include "gputop/knobs/table.hpp"
#include "gputop/knobs/value.hpp"

namespace gputop::knobs {

struct Place {
  enum class Kind : std::uint8_t { kArgument, kFile, kEnvironment, kLens, kGpu };
  enum class How : std::uint8_t {
    kReplace,  // bytes [begin, end) of the word or of the file's value
    kPresent,  // a flag without a value: there is true, and taken away is false
    kAbsent,   // not there yet: a flag that the script declares, a variable that a library reads, a key of a framework
  };
  Kind kind = Kind::kFile;
  How how = How::kReplace;
  std::string file;       // of kFile
  std::string key;        // "train.batch_size", "--batch-size", "OMP_NUM_THREADS"; of kGpu: its index
  int line = 0;           // of kFile, 1-based
  std::size_t entry = 0;  // of kFile: in its document
  std::size_t word = 0;   // of kArgument: in argv; where it would be put for kAbsent
  bool alone = false;     // of a flag that is absent: it takes no value
  std::vector<std::string> path = {};  // of kFile: its key, part by part; of an absent one, beside `entry` if there is one
  std::size_t begin = 0;
  std::size_t end = 0;

  bool operator==(const Place&) const = default;
};
// "configs/train.yaml:data.batch_size", "argv:--batch-size", "env:OMP_NUM_THREADS", "lens:batch_size": what the user
// names a place by, and what .gputop.yaml remembers.
std::string to_string(const Place& place);
// The same for people: "--batch-size on the command line", "OMP_NUM_THREADS in the environment".
std::string in_words(const Place& place);
// How a person may name it: by that or its key, by its file ("02_hard.yaml"), by a section of its key ("CONFIG_PHASE1").
enum class Naming : std::uint8_t { kWhole, kFile, kSection };
bool is_named(const Place& place, std::string_view name, Naming how);

struct Candidate {
  std::string knob;
  Place place;
  Value value;         // in the knob's own terms
  Value found;         // as written there
  Match match;         // the name it was found by; points into the table. alias is nullptr for flags and variables
  std::string fixed;   // why it cannot be changed; "" when it can
  std::string shared;  // what else would change; "" when nothing would
  std::string choices = {};  // of a flag: all words that its script takes; "" when any
  bool defers = false;  // "auto": whatever else says it counts
  bool agrees = false;  // of a file that must say the same as the framework's own settings: DeepSpeed's
  bool of_launcher = false;  // accelerate's own: what the script says counts before it
  bool overrides = false;  // not there yet, in place of a base that says it and that others share
  std::string scaled_by;  // of a learning rate: what scales it with the batch already; "" when nothing does
  int score = 0;
  std::vector<std::string> evidence;  // for people, strongest first
};

// What is known about the run besides its files.
struct Evidence {
  struct Seen {
    std::string knob;
    Value value;
    std::string source;  // "lens", "printed"
  };
  std::vector<Seen> seen;
  std::optional<std::uint64_t> ranks;  // nullopt: not known
  // Files that other configurations of the project include, too, and how many do; 1: it is also run by itself.
  std::vector<std::pair<std::string, std::size_t>> shared_files;
  // What the code of the run divides by the number of ranks.
  std::vector<RankDivision> divisions;
  // What it works out of the batch by itself.
  BatchCode batch_code;
  // Places the user chose before for this project, by knob: from .gputop.yaml.
  std::vector<std::pair<std::string, std::string>> remembered;

  [[nodiscard]] const Seen* find(std::string_view knob) const;
};

}  // namespace gputop::knobs
