#include "engine/granted_job.hpp"

#include "gputop/job/submitted.hpp"

namespace gputop {
namespace {

constexpr std::size_t kMostRead = 64 * 1024;  // it is among the first lines, but a queue may be long

}  // namespace

GrantedJob::GrantedJob(Loop& loop, Engine& engine, const std::vector<std::string>& argv)
    : loop_(loop), engine_(engine), waits_(job::is_allocation(argv)) {}

void GrantedJob::heard(const Event& event) {
  const auto* output = std::get_if<OutputWritten>(&event.payload);
  if (!waits_ || output == nullptr) return;
  said_ += output->bytes;
  const auto job = job::granted_job(said_);
  if (job && !engine_.model().job) {
    // Not within the event that told it.
    loop_.post([this, joined = JobJoined{.id = *job, .launcher = "slurm", .node = engine_.model().stream.hostname}] {
      engine_.publish({loop_.now(), joined});
    });
  }
  waits_ = !job && said_.size() < kMostRead;
  if (!waits_) said_ = {};
}

}  // namespace gputop
