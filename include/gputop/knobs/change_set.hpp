// A change is a set: the knob that was asked for and what goes with it, as new file texts, a new command line,
// variables and lens overrides; shown as one diff, undone by its inverse.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gputop/knobs/batch_change.hpp"
#include "gputop/knobs/finder.hpp"

namespace gputop::knobs {

struct ChangeRequest {
  std::vector<Setting> settings;
  BatchPolicy policy = BatchPolicy::kKeepEffective;
  std::vector<std::string> at;               // places the user named; empty: the likeliest
  bool everywhere = false;                   // every place that says what the likeliest says
  bool all_stages = false;                   // and with it those in other items of its list, whatever these say
  std::optional<std::int64_t> accumulation;  // that goes with the batch, where there is a place for it
  bool also_shared = false;                  // values that others share through a YAML anchor
  bool lens = true;                          // the run is one that the lens can change
};

struct ValueChange {
  std::string knob;
  Place place;
  Value from;  // as written there
  Value to;
};

struct FileChange {
  std::string path;
  std::string before;
  std::string after;
  bool operator==(const FileChange&) const = default;
};

struct VariableChange {
  std::string name;
  std::optional<std::string> before;  // nullopt: not set
  std::optional<std::string> after;
  bool operator==(const VariableChange&) const = default;
};

struct ChangeSet {
  std::vector<ValueChange> changes;
  std::vector<FileChange> files;
  std::vector<std::string> argv_before;
  std::vector<std::string> argv_after;
  std::vector<VariableChange> environment;
  std::vector<Setting> lens;       // only the lens can make these
  std::vector<std::string> notes;  // what goes with what and why

  [[nodiscard]] bool empty() const { return changes.empty(); }
  [[nodiscard]] bool changes_command() const { return argv_before != argv_after || !environment.empty(); }
};

// Errors: a knob that is nowhere, that cannot be changed where it is, or is in several places just as likely. What is
// already as wanted is left alone, with a note.
Result<ChangeSet> plan_change(const KnobTable& table,
                              const RunCommand& run,
                              std::span<const SourceFile> files,
                              const Found& found,
                              const Evidence& evidence,
                              const ChangeRequest& request);

// What takes it back. Lens overrides are not in it: they end with the run.
ChangeSet inverse(const ChangeSet& change);

// One unified diff of all files, the command line and the variables. For people: control characters are made visible.
std::string diff_text(const ChangeSet& change);

// A command as a shell takes it, with variables in front.
std::string command_text(const std::vector<std::string>& argv, const std::vector<VariableChange>& environment = {});

}  // namespace gputop::knobs
