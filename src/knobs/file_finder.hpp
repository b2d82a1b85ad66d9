// Knobs in one file's values.
#pragma once

#include <string>
#include <vector>

#include "gputop/knobs/candidate.hpp"
#include "knobs/run_files.hpp"

namespace gputop::knobs {

std::vector<Candidate> find_in_file(const KnobTable& table,
                                    const WantedFile& file,
                                    const ReadFile& content,
                                    std::uint64_t ranks);

}  // namespace gputop::knobs
