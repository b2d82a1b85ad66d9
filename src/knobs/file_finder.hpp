// Knobs in one file's values.
#pragma once

#include <string>
#include <vector>

#include "gputop/knobs/candidate.hpp"
#include "knobs/run_files.hpp"

namespace gputop::knobs {

// What all files of a run are looked at with.
struct Surroundings {
  const KnobTable& table;
  const ReadFiles& read;
  const std::vector<WantedFile>& wanted;  // in the order of their finding
  const Reading& reading;
  const RunCommand& run;
  std::string named_config;  // a configuration that the command line names; "" when none
};

std::vector<Candidate> find_in_file(const Surroundings& around, const WantedFile& file, const ReadFile& content);

}  // namespace gputop::knobs
