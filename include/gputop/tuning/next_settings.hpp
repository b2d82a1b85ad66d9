// The settings a run will have at its next launch: what was changed here, and how to take the last change back.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gputop/app/model.hpp"
#include "gputop/knobs/table.hpp"
#include "gputop/patch/project.hpp"
#include "gputop/run/run_channel.hpp"
#include "gputop/tuning/change_question.hpp"
#include "gputop/tuning/lens_override.hpp"

namespace gputop {

class NextSettings {
 public:
  NextSettings(std::vector<std::string> argv, std::string directory);

  // What would have to be changed where, as it stands on disk now. With `checkpoint` (a file of the run's own) the run
  // is also told to go on from it, where it has a place for that and says nothing there yet.
  Result<knobs::ChangeSet> plan(const PlanChange& wanted, const Model& model, const std::string& checkpoint) const;
  // Where the first of the settings that is in several places may be changed, the likeliest first; empty for one place.
  [[nodiscard]] std::vector<SettingPlace> places(const PlanChange& wanted, const Model& model) const;

  // Of the run as it is: as it was seen, else as its files or its command line say.
  [[nodiscard]] std::optional<std::uint64_t> current_batch(const Model& model) const;

  // What of it lies outside the run's project, in words; "" when nothing does.
  [[nodiscard]] std::string outside(const knobs::ChangeSet& change) const;
  // `agreed`: also what lies outside the project.
  Status write(const knobs::ChangeSet& change, bool remember = false, bool agreed = false);
  // The last one. Where it has told the run to go on from a checkpoint, the run is told so again, of the newest one:
  // what was learnt is not part of what is taken back.
  Status take_back(const std::string& checkpoint);
  [[nodiscard]] knobs::ChangeSet taking_back(
      const std::string& checkpoint) const;  // what that would change, to be read
  [[nodiscard]] bool can_take_back() const { return !memory_.made.empty(); }
  [[nodiscard]] const knobs::ChangeSet& last() const { return memory_.made.back().applied.change; }

  [[nodiscard]] const std::vector<std::string>& argv() const { return memory_.argv; }
  // Variables that differ from the first launch, the lens's among them.
  [[nodiscard]] run::RunChannel::Variables environment() const;
  // The run is told to go on from a checkpoint: "--resume", "resume_from_checkpoint in train.yaml"; "" when it is not.
  [[nodiscard]] std::string resumes() const;

  // Where what is written is remembered for `gputop undo`; nowhere until it is said.
  void keep_journal(std::filesystem::path journal) { journal_ = std::move(journal); }

  // All that was changed here, for an engine that takes over from one that was killed.
  struct Made {
    patch::AppliedChange applied;
    LensKnobs lens_before;
  };
  struct Memory {
    std::vector<std::string> argv;
    std::map<std::string, std::optional<std::string>> variables{};
    LensKnobs lens{};  // overrides
    std::vector<Made> made{};
  };
  [[nodiscard]] const Memory& memory() const { return memory_; }
  void restore(Memory memory) { memory_ = std::move(memory); }

 private:
  [[nodiscard]] patch::Bounds bounds() const;
  [[nodiscard]] patch::Project project(knobs::Evidence evidence, const std::vector<std::string>& argv) const;
  [[nodiscard]] std::optional<knobs::ChangeSet> resuming(const std::vector<std::string>& argv,
                                                         const std::string& checkpoint) const;
  [[nodiscard]] const knobs::KnobTable& table() const;

  mutable std::optional<knobs::KnobTable> table_;  // read when it is first needed: most engines never do
  std::string directory_;
  std::filesystem::path journal_;
  Memory memory_;
};

// "batch_size 8 → 48, accumulation 6 → 1" of what is really written.
std::vector<Change> as_changes(const knobs::ChangeSet& change);

}  // namespace gputop
