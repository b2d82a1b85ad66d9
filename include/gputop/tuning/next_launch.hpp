// The settings a run will have at its next launch: its command line, what of its environment differs, what the lens is
// told, and all that was changed to get there. A value: who reads and writes the files is the engine.
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
  // A change that was written, with what takes it back.
  struct Made {
    patch::AppliedChange applied;
    LensKnobs lens_before;
  };
  using Variables = std::vector<std::pair<std::string, std::optional<std::string>>>;

  std::vector<std::string> argv;
  std::map<std::string, std::optional<std::string>> variables{};  // that were changed; nullopt: taken away
  LensKnobs lens{};                                               // overrides
  std::vector<Made> made{};                                       // the newest last

  [[nodiscard]] bool can_take_back() const { return !made.empty(); }
  [[nodiscard]] const knobs::ChangeSet& last() const { return made.back().applied.change; }
  // Variables that differ from the first launch, the lens's among them.
  [[nodiscard]] Variables environment() const;
};

// "batch_size 8 → 48, accumulation 6 → 1" of what is really written.
std::vector<Change> as_changes(const knobs::ChangeSet& change);

}  // namespace gputop
