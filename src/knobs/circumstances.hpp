// Who reads a run's settings, and how many ranks there are: from the launcher, the configuration, the lens.
#pragma once

#include <string>
#include <vector>

#include "gputop/knobs/candidate.hpp"
#include "knobs/command_words.hpp"
#include "knobs/declared_flags.hpp"
#include "knobs/run_files.hpp"

namespace gputop::knobs {

Reading read_circumstances(const KnobTable& table,
                           const std::vector<std::string>& argv,
                           const std::vector<WantedFile>& wanted,
                           const ReadFiles& read,
                           const std::vector<DeclaredFlag>& declared,
                           const Evidence& evidence);

}  // namespace gputop::knobs
