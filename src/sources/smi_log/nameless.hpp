// Rows that do not say which GPU they are of: which of them were read together.
#pragma once

#include <optional>
#include <vector>

#include "sources/smi_log/table.hpp"

namespace gputop::smi {

// For each row whether it begins a round; within one, rows are of GPU 0, 1, 2, … Told by the dates and headers between
// them, else by the moments, else by what hardly changes of a GPU and comes again every so many rows. Where nothing
// tells, every row is a round of one GPU.
std::vector<bool> round_begins(const LogTable& table, const std::vector<std::optional<WallTime>>& times);

}  // namespace gputop::smi
