// How `gputop attach JOB` reaches a job: through the recordings if they are visible here; otherwise through Slurm, or
// through any launcher given as a template.
#include <cstdio>
#include <filesystem>
#include <memory>

#include "gputop/stream/job_files.hpp"
#include "gputop/stream/node_streams.hpp"
#include "gputop/viewer/watch_job.hpp"

namespace gputop {
namespace {

bool is_job_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789_") == std::string::npos;
}

// How many nodes Slurm runs this job on; 0: it does not know the job, or is not installed.
unsigned slurm_nodes(const std::string& job) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> answer{
      ::popen(("squeue --noheader --states=RUNNING --format=%D --jobs=" + job + " 2>/dev/null").c_str(), "re"), ::pclose};
  unsigned nodes = 0;
  if (!answer || std::fscanf(answer.get(), "%u", &nodes) != 1) return 0;
  return nodes;
}

// The path is also valid on the nodes: clusters share installed programs.
std::string own_path() {
  std::error_code problem;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", problem);
  return problem ? "gputop" : path.string();
}

std::string nodes_in_words(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " node" : " nodes");
}

}  // namespace

Result<JobWay> way_to_job(const std::string& job, const std::string& via, const std::vector<std::string>& on) {
  JobWay way{.job = job};
  if (!via.empty()) {
    if (on.empty()) return Error{Error::Kind::kInvalid, "--via needs the nodes to connect to: --on n1,n2"};
    for (const auto& node : on) {
      auto command = command_on(via, node, {"gputop", "stream", job});
      if (!command) return command.error();
      way.commands.push_back(*std::move(command));
    }
    way.transport = via + " on " + nodes_in_words(on.size());
    return way;
  }
  if (!JobFiles{job}.find().empty()) return way;
  if (is_job_number(job)) {
    if (const auto nodes = slurm_nodes(job); nodes > 0) {
      way.commands = {{"srun", "--overlap", "--quiet", "--jobid=" + job, "--nodes=" + std::to_string(nodes),
                       "--ntasks-per-node=1", "--label", own_path(), "stream", job}};
      way.transport = "srun on " + nodes_in_words(nodes);
      return way;
    }
  }
  return Error{Error::Kind::kNotFound,
               job +
                   ": there is no run with this id or name (see gputop ls), no recording of a job with this id, and "
                   "Slurm has no such job running"};
}

}  // namespace gputop
