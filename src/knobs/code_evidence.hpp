// What the run's own code says about the places that were found: whose batch it is, and which rate follows the batch.
#pragma once

#include <string>
#include <vector>

#include "gputop/knobs/candidate.hpp"
#include "knobs/declared_flags.hpp"
#include "knobs/run_files.hpp"

namespace gputop::knobs {

// "total batch size for all GPUs": a script says itself whose batch its flag is.
void count_as_declared(std::vector<Candidate>& candidates,
                       const std::vector<DeclaredFlag>& declared,
                       const Reading& reading);

// Its script takes a part of it for each rank.
void count_as_divided(std::vector<Candidate>& candidates, const Evidence& evidence, const Reading& reading);

// total_batch_size, where grad_accum_steps = total_batch_size // (B * T * world_size).
void refuse_products(std::vector<Candidate>& candidates, const ReadFiles& read);

// --gradient_checkpointing of a field that is True by default: to take it away turns nothing off.
void refuse_true_defaults(std::vector<Candidate>& candidates);

// Where how many ranks there are counts, and is not known.
void refuse_unknown_counts(std::vector<Candidate>& candidates, const Reading& reading);

// -b 64 of a module whose code is not here: its own batch, or that of all ranks?
void refuse_short_flags(std::vector<Candidate>& candidates, const CommandWords& command, const ReadFiles& read);

// Its script scales it with the batch, or a switch of its framework does.
void count_as_scaled(std::vector<Candidate>& candidates,
                     const Evidence& evidence,
                     const std::vector<std::string>& argv,
                     const ReadFiles& read);

}  // namespace gputop::knobs
