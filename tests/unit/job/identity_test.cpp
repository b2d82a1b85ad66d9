#include "gputop/job/identity.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>

namespace gputop::job {
namespace {

using Set = std::map<std::string, std::string>;

std::optional<JobJoined> read(const Set& set, const std::vector<std::string>& argv = {"python", "train.py"}) {
  return read_identity(
      [&](std::string_view name) -> std::optional<std::string> {
        const auto found = set.find(std::string{name});
        return found == set.end() ? std::nullopt : std::optional{found->second};
      },
      argv, "host7");
}

TEST_CASE("A run that no launcher started belongs to no job", "[job]") {
  CHECK_FALSE(read({}));
  CHECK_FALSE(read({{"HOME", "/root"}, {"WORLD_SIZE", "2"}}));
  CHECK_FALSE(read({{"SLURM_JOB_ID", ""}}));
  CHECK_FALSE(read({}, {"torchrun", "--standalone", "train.py"}));
  CHECK_FALSE(read({{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}, {"HOSTNAME", "web-5d9c"}}));
}

TEST_CASE("srun: a gputop for each task", "[job]") {
  const Set set{{"SLURM_JOB_ID", "4711"},    {"SLURM_STEP_ID", "0"},       {"SLURM_PROCID", "5"},
                {"SLURM_LOCALID", "1"},      {"SLURM_NODEID", "2"},        {"SLURMD_NODENAME", "n3"},
                {"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_STEP_NUM_NODES", "3"}};
  const auto job = read(set);
  REQUIRE(job);
  CHECK(*job == JobJoined{"4711", "slurm", "0", "n3", "", "", 2U, 3U, 5U, 1U, 8U});

  SECTION("torchrun below it starts the ranks: the task is no rank") {
    const auto above = read(set, {"torchrun", "--nnodes=3", "--rdzv_id=llm", "--rdzv-endpoint", "n1:29500", "train.py"});
    REQUIRE(above);
    CHECK(*above == JobJoined{"4711", "slurm", "0", "n3", "llm", "n1:29500", 2U, 3U, {}, {}, {}});
  }
  SECTION("what the script was told wins over the task's number") {
    auto told = set;
    told.insert({{"RANK", "7"}, {"WORLD_SIZE", "16"}, {"LOCAL_RANK", "3"}});
    CHECK(read(told)->rank == 7U);
    CHECK(read(told)->world == 16U);
  }
}

TEST_CASE("A batch script's PROCID is no rank", "[job]") {
  const auto job = read({{"SLURM_JOB_ID", "12"}, {"SLURM_PROCID", "0"}, {"SLURM_NODEID", "0"}, {"SLURM_NNODES", "2"}});
  REQUIRE(job);
  CHECK(job->id == "12");
  CHECK_FALSE(job->rank);
  CHECK_FALSE(job->node_index);
  CHECK(job->nodes == 2U);
  CHECK(job->node == "host7");
}

TEST_CASE("torchrun above a gputop and below one", "[job]") {
  const auto below = read({{"TORCHELASTIC_RUN_ID", "llm"}, {"RANK", "3"}, {"LOCAL_RANK", "1"}, {"WORLD_SIZE", "4"},
                           {"GROUP_RANK", "1"}, {"GROUP_WORLD_SIZE", "2"}, {"MASTER_ADDR", "n1"}, {"MASTER_PORT", "29500"}});
  REQUIRE(below);
  CHECK(*below == JobJoined{"llm", "torchrun", "", "host7", "", "n1:29500", 1U, 2U, 3U, 1U, 4U});
  const auto above = read({}, {"python", "-m", "torch.distributed.run", "--rdzv_id", "llm", "--node_rank=1", "t.py"});
  REQUIRE(above);
  CHECK(above->id == "llm");
  CHECK(above->node_index == 1U);
  CHECK_FALSE(above->rank);
  const auto unnamed = read({{"TORCHELASTIC_RUN_ID", "none"}, {"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "n1"}, {"MASTER_PORT", "1"}});
  REQUIRE(unnamed);
  CHECK(unnamed->id == "n1:1");
}

TEST_CASE("MPI, Ray, Kubernetes and ranks started by hand", "[job]") {
  const auto mpi = read({{"PMIX_NAMESPACE", "prterun-1"}, {"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "4"},
                         {"OMPI_COMM_WORLD_LOCAL_RANK", "0"}});
  REQUIRE(mpi);
  CHECK(*mpi == JobJoined{"prterun-1", "mpi", "", "host7", "", "", {}, {}, 2U, 0U, 4U});
  CHECK(read({{"PBS_JOBID", "9.pbs"}, {"PMI_RANK", "1"}, {"PMI_SIZE", "2"}})->launcher == "pbs");
  CHECK(read({{"RAY_JOB_ID", "01000000"}, {"RANK", "1"}})->launcher == "ray");
  const Set cluster{{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}, {"NODE_NAME", "gke-7"}};
  auto indexed = cluster;
  indexed.insert({{"JOB_COMPLETION_INDEX", "3"}, {"HOSTNAME", "llm-3"}});
  CHECK(read(indexed)->id == "llm");
  CHECK(read(indexed)->rank == 3U);
  CHECK(read(indexed)->node == "gke-7");
  auto operated = cluster;
  operated.insert({{"HOSTNAME", "llm-7b-worker-0"}, {"RANK", "1"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "llm-7b-master-0"}});
  CHECK(read(operated)->id == "llm-7b");
  const auto plain = read({{"RANK", "1"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "10.0.0.5"}, {"MASTER_PORT", "29500"}});
  REQUIRE(plain);
  CHECK(plain->id == "10.0.0.5:29500");
}

TEST_CASE("Numbers that are none are unknown", "[job]") {
  const auto job = read({{"SLURM_JOB_ID", "4"}, {"SLURM_STEP_ID", "1"}, {"SLURM_PROCID", "-1"}, {"SLURM_NODEID", "2x"}});
  REQUIRE(job);
  CHECK_FALSE(job->rank);
  CHECK_FALSE(job->node_index);
}

}  // namespace
}  // namespace gputop::job
