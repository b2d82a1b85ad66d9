// What a job's recordings show together, as text and JSON: what slows the whole job down, what each rank did, and which
// ranks need a change.
#pragma once

#include <string>
#include <vector>

#include "gputop/job/track.hpp"
#include "gputop/report/findings.hpp"

namespace gputop {

struct JobFindings {
  std::string id;
  std::string launcher;
  job::Whole whole;
  // One change, or a finding without one, and its ranks.
  struct Shared {
    Finding finding;
    std::vector<unsigned> ranks;
  };
  std::vector<Shared> findings;
  std::vector<std::string> notes;

  // The advice for one recording and its ranks.
  void add(const Advice& advice, const std::vector<unsigned>& ranks);
};

// "0–3, 7", "all 24 ranks".
std::string ranks_in_words(const std::vector<unsigned>& ranks, std::size_t all);

std::string job_text(const JobFindings& found);      // gputop advise JOB
std::string job_markdown(const JobFindings& found);  // gputop report JOB
std::string job_json(const JobFindings& found);      // schema gputop.job/1

}  // namespace gputop
