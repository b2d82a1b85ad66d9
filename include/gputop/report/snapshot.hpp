// One reading as text: JSON (schema gputop.snapshot/1), CSV, and a table for people.
#pragma once

#include <string>
#include <string_view>

#include "gputop/app/model.hpp"

namespace gputop {

// What to do next without a GPU, for stderr.
inline constexpr std::string_view kWithoutGpu =
    "without a GPU: gputop --demo shows everything on a simulated one; gputop -- CMD watches a run's CPU, memory and output; "
    "gputop report LOG reads a GPU log from another machine";

std::string snapshot_json(const Model& model);
// A header line and one line per GPU; an unknown reading is an empty field.
std::string snapshot_csv(const Model& model);
// The same without the header.
std::string snapshot_csv_lines(const Model& model);
std::string snapshot_table(const Model& model);

}  // namespace gputop
