#include "gputop/job/slurm_end.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace gputop::job {
namespace {

// As Slurm 22.05 answers; what does not matter here is left out.
std::string job(const std::string& state, const std::string& limit, const std::string& preempted = "None") {
  return "JobId=4 JobName=train UserId=ada(1000) JobState=" + state + " Reason=None Dependency=(null) RunTime=00:00:58 TimeLimit=" +
         limit + " TimeMin=N/A StartTime=2026-11-19T02:08:00 EndTime=2026-11-19T02:18:00 PreemptEligibleTime=2026-11-19T02:08:00 PreemptTime=" +
         preempted + " SuspendTime=None\n";
}

TEST_CASE("Slurm's reasons: the limit, preemption, scancel", "[job]") {
  const std::string limit = "its time limit of 00:10:00 is reached";
  CHECK(why_slurm_ends_it(job("COMPLETING", "00:10:00"), "2026-11-19T02:18:02") == limit);
  CHECK(why_slurm_ends_it(job("TIMEOUT", "00:10:00"), "2026-11-19T02:18:02") == limit);
  CHECK(why_slurm_ends_it(job("RUNNING", "00:10:00"), "2026-11-19T02:17:00") == "its time limit of 00:10:00 is near");  // --signal=TERM@60
  CHECK(why_slurm_ends_it(job("COMPLETING", "00:10:00"), "2026-11-19T02:17:00") == "it was canceled");
  CHECK(why_slurm_ends_it(job("COMPLETING", "UNLIMITED"), "2026-11-19T02:18:02") == "it was canceled");
  CHECK(why_slurm_ends_it(job("CANCELLED", "1-00:00:00"), "2026-11-19T02:18:02") == "it was canceled");
  CHECK(why_slurm_ends_it(job("COMPLETING", "1-00:00:00"), "2026-11-20T02:08:01") == "its time limit of 1-00:00:00 is reached");
  CHECK(why_slurm_ends_it(job("RUNNING", "00:10:00", "2026-11-19T02:09:00"), "2026-11-19T02:09:00") ==
        "a job of higher priority takes its place (preemption)");
}

TEST_CASE("What Slurm does not say is not made up", "[job]") {
  CHECK(why_slurm_ends_it("", "2026-11-19T02:18:02").empty());
  CHECK(why_slurm_ends_it("slurm_load_jobs error: Invalid job id specified\n", "2026-11-19T02:18:02").empty());
  CHECK(why_slurm_ends_it(job("RUNNING", "00:10:00"), "2026-11-19T02:09:00").empty());  // only a step, or a signal by hand
  CHECK(why_slurm_ends_it(job("RUNNING", "UNLIMITED"), "").empty());
  CHECK(why_slurm_ends_it("JobState=RUNNING TimeLimit=-: StartTime=x", "y").empty());
}

}  // namespace
}  // namespace gputop::job
