// Which of several places is the one in force: points for evidence, each with its sentence.
#pragma once

#include <string>
#include <vector>

#include "gputop/knobs/candidate.hpp"
#include "knobs/run_files.hpp"

namespace gputop::knobs {

// Adds to scores and evidence, and sorts: the likeliest first.
void rank(std::vector<Candidate>& candidates,
          const std::vector<std::string>& argv,
          const std::string& script,  // of the command line
          const ReadFiles& read,
          const Evidence& evidence);

}  // namespace gputop::knobs
