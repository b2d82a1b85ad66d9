// Why Slurm ends a job, from what its controller says about it.
#pragma once

#include <string>
#include <string_view>

namespace gputop::job {

// `answer`: `scontrol show job --oneliner ID`, asked when the job was told to end. "its time limit of 1-00:00:00 is
// reached" or "… is near" (--signal), "a job of higher priority takes its place (preemption)", "it was canceled"; "" if the answer does not say.
// `now`: local time as Slurm writes it, "2026-11-19T02:08:35".
std::string why_slurm_ends_it(std::string_view answer, std::string_view now);

}  // namespace gputop::job
