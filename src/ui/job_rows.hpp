// Rows of the job's table: what is in them, and in which order they stand.
#pragma once

#include <compare>
#include <string>
#include <utility>
#include <vector>

#include "gputop/job/track.hpp"
#include "gputop/ui/job_screen.hpp"
#include "ui/elements.hpp"

namespace gputop::ui {

enum class JobColumn : std::size_t {
  kRank, kNode, kState, kStep, kSpeed, kInput, kHost, kCompute, kWaiting, kBusy, kMemory, kPower, kClock, kSpark, kSaid
};

std::vector<TableColumn> job_columns(int width, bool by_node);

// Of one rank as it is, of a node's ranks together: sums, means, and the worst state.
struct RowFigures {
  std::size_t count = 0;
  bool grouped = false;  // a node's
  job::RankLine line;
  std::uint64_t slowest_step = 0;
  static RowFigures of(const std::vector<const job::RankLine*>& ranks, bool grouped = false);
};

TableCell job_cell(const RowFigures& row, const job::Explained& explained, JobColumn column, const Styles& styles, GlyphSet glyphs);

using RowKey = std::pair<std::pair<double, std::string>, double>;
RowKey row_key(const std::vector<const job::RankLine*>& ranks, const job::Explained& explained, JobOrder order);

Role state_role(job::RankState state);

// What holds the whole up, a line each; what is well, where nothing does.
std::vector<std::pair<std::string, Role>> explained_in_words(const job::Whole& whole);

}  // namespace gputop::ui
