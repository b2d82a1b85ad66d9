#include "gputop/stream/job_findings.hpp"

#include "gputop/stream/job_watch.hpp"
#include "gputop/stream/recorded_input.hpp"

namespace gputop {
namespace {

constexpr std::size_t kMostAdvised =
    64;  // limit for recordings advised one by one; the job as a whole uses all of them

}  // namespace

Result<JobFindings> read_job_findings(const std::string& job, const std::vector<std::string>& files, const AdvisorSettings& advisor) {
  JobFindings found;
  found.id = job;
  JobWatch watch;
  watch.follow(files, 0);
  watch.look(0);
  found.whole = watch.whole(0, false);
  std::size_t read = 0;
  for (std::size_t i = 0; i < watch.members().size(); ++i) {
    const auto& member = *watch.members()[i];
    if (member.track.job()) {
      found.launcher = member.track.job()->launcher;
      if (found.id != member.track.job()->run_id) found.id = member.track.job()->id;
    }
    if (!member.problem.empty()) found.notes.push_back(member.problem);
    std::vector<unsigned> ranks;
    for (const auto& line : found.whole.lines) {
      if (line.recording == i && line.number) ranks.push_back(*line.number);
    }
    if (ranks.empty() || read++ >= kMostAdvised) continue;
    if (const auto one = read_findings(member.name, {}, advisor)) {
      found.add(one->advice, ranks);
    } else {
      found.notes.push_back(one.error().message);
    }
  }
  if (read > kMostAdvised)
    found.notes.push_back("settings were examined on " + std::to_string(kMostAdvised) + " of " + std::to_string(read) + " recordings");
  return found;
}

}  // namespace gputop
