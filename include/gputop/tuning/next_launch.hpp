// The settings of a run's next launch: its command line, changed environment variables, lens overrides, and all changes
// that led to them. A value; the engine reads and writes the files.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gputop/patch/project.hpp"
#include "gputop/tuning/lens_override.hpp"

namespace gputop {

struct NextLaunch {
  // A change that was written, with what is needed to take it back.
  struct Made {
    patch::AppliedChange applied;
    LensKnobs lens_before;
  };
  using Variables = std::vector<std::pair<std::string, std::optional<std::string>>>;

  std::vector<std::string> argv;
  std::map<std::string, std::optional<std::string>> variables{};  // that were changed; nullopt: removed
  LensKnobs lens{};                                               // overrides
  std::vector<Made> made{};                                       // the newest last

  [[nodiscard]] bool can_take_back() const { return !made.empty(); }
  [[nodiscard]] const knobs::ChangeSet& last() const { return made.back().applied.change; }
  // Variables that differ from the first launch, including the lens's.
  [[nodiscard]] Variables environment() const;
};

// "batch_size 8 → 48, accumulation 6 → 1": what is actually written.
std::vector<Change> as_changes(const knobs::ChangeSet& change);

}  // namespace gputop
