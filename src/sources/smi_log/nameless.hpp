// Rows that do not name their GPU: finds which of them were read together.
#pragma once

#include <optional>
#include <vector>

#include "sources/smi_log/table.hpp"

namespace gputop::smi {

// For each row, whether it begins a round; within a round, rows belong to GPU 0, 1, 2, … Determined by the dates and
// headers between rows, otherwise by the times, otherwise by nearly constant GPU values that repeat every so many rows.
// If nothing helps, every row is a round of one GPU.
std::vector<bool> round_begins(const LogTable& table, const std::vector<std::optional<WallTime>>& times);

}  // namespace gputop::smi
