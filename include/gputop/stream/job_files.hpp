// Finds the recordings of a job: by a Slurm job id, a torchrun id, a folder, or a pattern.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gputop/core/event.hpp"

namespace gputop {

// The job named in a recording; nullopt: it belongs to none, or cannot be read.
std::optional<JobJoined> job_of_recording(const std::string& path);

class JobFiles {
 public:
  explicit JobFiles(std::string input) : input_(std::move(input)) {}

  // All files so far. Reads each file's beginning once.
  std::vector<std::string> find();
  [[nodiscard]] const std::string& input() const { return input_; }

 private:
  [[nodiscard]] bool belongs(const std::string& path);

  std::string input_;
  std::map<std::string, std::optional<JobJoined>> known_;
};

// The jobs of launchers with a queue (Slurm) among the newest `most` recordings of the default folder.
struct RecordedJob {
  std::string id;
  std::size_t recordings = 0;
  std::vector<std::string> nodes;  // each once, sorted
};
std::vector<RecordedJob> recorded_jobs(std::size_t most);

// The files of a job. nullopt: this names a file, a run, or something unknown, but no job.
std::optional<std::vector<std::string>> job_behind(const std::string& input);
// The recording of the lowest rank. Requires at least one.
std::string first_rank(const std::vector<std::string>& files);

}  // namespace gputop
