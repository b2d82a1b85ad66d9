// Where a run's knobs live: from its command line, the files that one names and what those name in turn. Pure: says
// which files it would like to read and is called again with them.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/knobs/candidate.hpp"
#include "gputop/knobs/document.hpp"
#include "gputop/knobs/table.hpp"

namespace gputop::knobs {

struct RunCommand {
  std::vector<std::string> argv;
  std::map<std::string, std::string, std::less<>> environment;  // only what the table names is looked at
};

// A file that was asked for. Without a text it could not be read, and is not asked for again.
struct SourceFile {
  std::string path;  // as asked for: relative to the run's directory, or absolute
  std::optional<std::string> text;
};

struct WantedFile {
  enum class Reason { kCommandLine, kScript, kIncluded, kImported, kMentioned };
  std::string path;
  Reason reason = Reason::kCommandLine;
  std::string by;  // the file that names it; "" for the command line
  int depth = 0;   // files between it and the command line, itself included

  bool operator==(const WantedFile&) const = default;
};

struct Found {
  std::vector<Candidate> candidates;  // of all knobs, the likeliest first
  std::vector<WantedFile> wanted;     // not among the files yet
  std::vector<std::string> bases;     // files that a configuration of this run includes
  std::vector<std::string> problems;  // files that could not be read as what they are
  Reading reading;                    // who reads these values, and how many ranks there are
};

Found find_knobs(const KnobTable& table,
                 const RunCommand& run,
                 std::span<const SourceFile> files,
                 const Evidence& evidence);

// The configurations that this one is made of (_base_, _BASE_, relative imports), as paths like its own.
std::vector<std::string> bases_of(const std::string& path, std::string_view text);

// Those of one knob, the likeliest first.
std::vector<const Candidate*> candidates_of(const Found& found, std::string_view knob);

// The place to change so that the knob gets `value`: the likeliest, when it can be changed and no other is just as
// likely. The error lists all of them with the reasons, and how to name one.
Result<const Candidate*> choose(const Found& found,
                                const Knob& knob,
                                const Value& value,
                                bool also_shared = false,
                                bool with_lens = true);
// Says something about the run: is written somewhere, or a default that is known.
bool is_there(const Candidate& candidate);
// What is in force, whether it can be changed or not; nullptr when nothing says it.
const Candidate* in_force(const Found& found, std::string_view knob);
// The places a user named by to_string(Place), or all that can be changed and say the same as the likeliest; with
// `all_stages` also those in other items of its list.
Result<std::vector<const Candidate*>> choose_at(const Found& found,
                                                const Knob& knob,
                                                const std::vector<std::string>& places);
std::vector<const Candidate*> choose_all(const Found& found,
                                         const Knob& knob,
                                         const Value& value,
                                         bool also_shared,
                                         bool all_stages = false);

// One line per place: what it says, why it is believed, why it cannot be changed.
std::string describe(const Candidate& candidate);

}  // namespace gputop::knobs
