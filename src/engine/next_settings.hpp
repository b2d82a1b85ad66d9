// The run's project on disk, for the closed loop: what a change would write where, writing it, and taking it back.
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

// Projects read within the last few seconds: one question reads its files once, however often it asks. Not thread-safe.
class ProjectReader {
 public:
  explicit ProjectReader(std::string directory) : directory_(std::move(directory)) {}

  // Kept until forget() or forget_old().
  const patch::Project& read(const NextLaunch& launch,
                             const std::vector<std::string>& argv,
                             const knobs::Evidence& evidence);
  const knobs::KnobTable& table();  // loaded on first use: most engines never need it
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

// What is known about the run besides its files.
struct SeenRun {
  knobs::Evidence evidence{};
  bool lens = false;                     // there is a lens that could make a change
  std::optional<std::uint64_t> batch{};  // as observed
};

class NextSettings {
 public:
  NextSettings(ProjectReader& project, NextLaunch launch) : project_(project), launch_(std::move(launch)) {}
  // Where `gputop undo` looks for what was written.
  void keep_journal(std::filesystem::path journal) { journal_ = std::move(journal); }

  // What would have to be changed where, based on the current files. With `checkpoint` (a file of the run) it also
  // makes the run resume from it, if there is a place for that and it is not set yet.
  Result<knobs::ChangeSet> plan(const PlanChange& wanted, const SeenRun& seen, const std::string& checkpoint) const;
  // Where the first setting with several places may be changed, the likeliest first; empty if there is one place.
  [[nodiscard]] std::vector<SettingPlace> places(const PlanChange& wanted, const SeenRun& seen) const;
  // Of the run as it is: as observed, or as its files or command line say.
  [[nodiscard]] std::optional<std::uint64_t> current_batch(const SeenRun& seen) const;
  // Which parts lie outside the run's project, in words; "" if none.
  [[nodiscard]] std::string outside(const knobs::ChangeSet& change) const;
  // How the run is made to resume from a checkpoint: "--resume", "resume_from_checkpoint in train.yaml"; "" if it is
  // not.
  [[nodiscard]] std::string resumes(const SeenRun& seen) const;

  // `agreed`: to changes outside the project too.
  Status write(const knobs::ChangeSet& change, bool remember = false, bool agreed = false);
  // Takes back the last change. If that change made the run resume from a checkpoint, the run is made to resume from
  // the newest one: training progress is not taken back.
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
