// Commands that hand a job to Slurm, and what they and Slurm say about it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gputop::job {

// `sbatch …`: the command ends at once, and the job runs later and elsewhere.
bool is_submit(const std::vector<std::string>& argv);
// `salloc …`: the command runs here, inside of the job.
bool is_allocation(const std::vector<std::string>& argv);
// --parsable: its output is for a script that waits for it.
bool is_for_a_script(const std::vector<std::string>& argv);

// "Submitted batch job 123 on cluster hpc" → "123"; with --parsable "123;hpc". nullopt: no job was submitted.
std::optional<std::string> submitted_job(std::string_view output);

// `salloc: Granted job allocation 123` in what a command wrote, once the number is whole → "123".
std::optional<std::string> granted_job(std::string_view output);

// A line of `squeue --noheader --format='%T %r %N'`.
struct QueuedJob {
  std::string state;   // "PENDING", "RUNNING", …
  std::string reason;  // why it waits: "Resources"; "" if for nothing
  std::string nodes;   // "n[1-3]"
};
std::optional<QueuedJob> read_queued(std::string_view line);

// "pending (Resources)", "running on n[1-3]".
std::string to_words(const QueuedJob& job);

// The end of a job in words, from `scontrol show job --oneliner`: "completed", "failed with exit code 3", "timeout".
std::string how_it_ended(std::string_view answer);

}  // namespace gputop::job
