// The run's project on disk, as the closed loop needs it: what a change would write where, the writing, the taking back.
#pragma once

#include <chrono>
#include <filesystem>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gputop/knobs/table.hpp"
#include "gputop/patch/project.hpp"
#include "gputop/tuning/step.hpp"

namespace gputop {

// Projects as they were read within the last seconds: one question reads its files once, however often it asks.
// Not for two threads at once.
class ProjectReader {
 public:
  explicit ProjectReader(std::string directory) : directory_(std::move(directory)) {}

  // Stays until forget() or forget_old().
  const patch::Project& read(const NextLaunch& launch,
                             const std::vector<std::string>& argv,
                             const knobs::Evidence& evidence);
  const knobs::KnobTable& table();  // read when it is first needed: most engines never do
  void forget() { read_.clear(); }
  void forget_old();
  [[nodiscard]] const std::string& directory() const { return directory_; }

 private:
  struct Entry {
    std::chrono::steady_clock::time_point at;
    std::vector<std::string> argv;
    std::map<std::string, std::optional<std::string>> variables;
    std::size_t seen = 0;  // pieces of evidence
    patch::Project project;
  };
  std::string directory_;
  std::optional<knobs::KnobTable> table_;
  std::list<Entry> read_;
};

// What is known of the run besides its files.
struct SeenRun {
  knobs::Evidence evidence{};
  bool lens = false;                      // there is one that could make a change
  std::optional<std::uint64_t> batch{};  // as it was seen
};

class NextSettings {
 public:
  NextSettings(ProjectReader& project, NextLaunch launch) : project_(project), launch_(std::move(launch)) {}
  // Where `gputop undo` looks for what was written.
  void keep_journal(std::filesystem::path journal) { journal_ = std::move(journal); }

  // What would have to be changed where, as it stands on disk now. With `checkpoint` (a file of the run's own) the run
  // is also told to go on from it, where it has a place for that and says nothing there yet.
  Result<knobs::ChangeSet> plan(const PlanChange& wanted, const SeenRun& seen, const std::string& checkpoint) const;
  // Where the first of the settings that is in several places may be changed, the likeliest first; empty for one place.
  [[nodiscard]] std::vector<SettingPlace> places(const PlanChange& wanted, const SeenRun& seen) const;
  // Of the run as it is: as it was seen, else as its files or its command line say.
  [[nodiscard]] std::optional<std::uint64_t> current_batch(const SeenRun& seen) const;
  // What of it lies outside the run's project, in words; "" when nothing does.
  [[nodiscard]] std::string outside(const knobs::ChangeSet& change) const;
  // The run is told to go on from a checkpoint: "--resume", "resume_from_checkpoint in train.yaml"; "" when it is not.
  [[nodiscard]] std::string resumes(const SeenRun& seen) const;

  // `agreed`: also what lies outside the project.
  Status write(const knobs::ChangeSet& change, bool remember = false, bool agreed = false);
  // The last one. Where it has told the run to go on from a checkpoint, the run is told so again, of the newest one:
  // what was learnt is not part of what is taken back.
  Status take_back(const std::string& checkpoint);
  [[nodiscard]] knobs::ChangeSet taking_back(const std::string& checkpoint) const;  // what that would change

  [[nodiscard]] const NextLaunch& launch() const { return launch_; }

 private:
  [[nodiscard]] patch::Bounds bounds() const;
  [[nodiscard]] std::optional<knobs::ChangeSet> resuming(const std::vector<std::string>& argv,
                                                         const std::string& checkpoint) const;

  ProjectReader& project_;
  NextLaunch launch_;
  std::filesystem::path journal_;
};

}  // namespace gputop
