// Knobs on a command line: flags (cut short where the script's argparse takes that), Hydra overrides, KEY VALUE pairs, switches; and flags
// that the script declares but was not given.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/knobs/candidate.hpp"
#include "knobs/command_words.hpp"
#include "knobs/declared_flags.hpp"

namespace gputop::knobs {

std::vector<Candidate> find_in_arguments(const KnobTable& table,
                                         const std::vector<std::string>& argv,
                                         const CommandWords& command,
                                         const std::vector<DeclaredFlag>& declared,
                                         const Reading& reading);

// The flag of this name ("accum_batches" is --accum-batches) as a place of `what`; one that was not given, where the script
// declares it.
std::optional<Candidate> find_argument(const KnobTable& table,
                                       const std::vector<std::string>& argv,
                                       const CommandWords& command,
                                       const std::vector<DeclaredFlag>& declared,
                                       const Reading& reading,
                                       const Match& what,
                                       std::string_view name);

}  // namespace gputop::knobs
