// Which recordings belong to the job a user means: a Slurm job id, a torchrun id, a folder, a pattern.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gputop/core/event.hpp"

namespace gputop {

// What a recording says of its job; nullopt: it belongs to none, or cannot be read.
std::optional<JobJoined> job_of_recording(const std::string& path);

class JobFiles {
 public:
  explicit JobFiles(std::string input) : input_(std::move(input)) {}

  // All there are by now. Each file's beginning is read once.
  std::vector<std::string> find();
  [[nodiscard]] const std::string& input() const { return input_; }

 private:
  [[nodiscard]] bool belongs(const std::string& path);

  std::string input_;
  std::map<std::string, std::optional<JobJoined>> known_;
};

// The jobs of a launcher with a queue (Slurm) that recordings in the usual folder belong to; of the newest `most` recordings.
struct RecordedJob {
  std::string id;
  std::size_t recordings = 0;
  std::vector<std::string> nodes;  // each once
};
std::vector<RecordedJob> recorded_jobs(std::size_t most);

// The files of a job. nullopt: this names a file, a run, or nothing that is known, and no job.
std::optional<std::vector<std::string>> job_behind(const std::string& input);
// The recording of the lowest rank among them; there must be one.
std::string first_rank(const std::vector<std::string>& files);

}  // namespace gputop
