#include "gputop/job/submitted.hpp"

#include <catch2/catch_test_macros.hpp>

namespace gputop::job {
namespace {

TEST_CASE("Commands that hand a job to Slurm are known by their name", "[job]") {
  CHECK(is_submit({"sbatch", "job.sh"}));
  CHECK(is_submit({"/opt/slurm/bin/sbatch", "--parsable", "job.sh"}));
  CHECK_FALSE(is_submit({"bash", "sbatch"}));
  CHECK_FALSE(is_submit({}));
  CHECK(is_allocation({"salloc", "-N2", "bash"}));
  CHECK_FALSE(is_allocation({"srun", "salloc"}));
  CHECK(is_for_a_script({"sbatch", "-N2", "--parsable", "job.sh"}));
  CHECK_FALSE(is_for_a_script({"sbatch", "job.sh", "--parsable"}));  // the script's own word
}

TEST_CASE("The job's number is what sbatch prints", "[job]") {
  CHECK(submitted_job("Submitted batch job 123\n") == "123");
  CHECK(submitted_job("a site's greeting\nSubmitted batch job 123 on cluster hpc\n") == "123");
  CHECK(submitted_job("123\n") == "123");
  CHECK(submitted_job("123;hpc\n") == "123");
  CHECK_FALSE(submitted_job("sbatch: error: invalid partition\n"));
  CHECK_FALSE(submitted_job("12 nodes are free\n"));
  CHECK_FALSE(submitted_job(""));
}

TEST_CASE("A grant counts once its number is whole", "[job]") {
  CHECK(granted_job("salloc: Pending job allocation 7\nsalloc: Granted job allocation 71\n") == "71");
  CHECK_FALSE(granted_job("salloc: Granted job allocation 7"));  // the next piece may be another digit
  CHECK_FALSE(granted_job("salloc: Pending job allocation 7\n"));
}

TEST_CASE("What the queue says of a job", "[job]") {
  CHECK(to_words(*read_queued("PENDING Resources \n")) == "pending (Resources)");
  CHECK(to_words(*read_queued("PENDING Nodes required for job are DOWN \n")) == "pending (Nodes required for job are DOWN)");
  CHECK(to_words(*read_queued("RUNNING None n[1-3]\n")) == "running on n[1-3]");
  CHECK_FALSE(read_queued(""));
  CHECK_FALSE(read_queued("slurm_load_jobs\n"));
}

TEST_CASE("How a job ended, by its controller", "[job]") {
  CHECK(how_it_ended("JobId=4 JobName=train JobState=COMPLETED Reason=None ExitCode=0:0\n") == "completed");
  CHECK(how_it_ended("JobId=4 JobState=FAILED DerivedExitCode=0:0 ExitCode=3:0\n") == "failed with exit code 3");
  CHECK(how_it_ended("JobId=4 JobState=OUT_OF_MEMORY ExitCode=0:125\n") == "out of memory (signal 125)");
  CHECK(how_it_ended("slurm_load_jobs error: Invalid job id specified\n").empty());
}

}  // namespace
}  // namespace gputop::job
