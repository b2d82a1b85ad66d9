#include "ui/job_rows.hpp"

#include <algorithm>

#include "gputop/core/format.hpp"
#include "ui/text.hpp"
#include "ui/values.hpp"

namespace gputop::ui {
namespace {

using job::RankState;

// The worse, the lower.
double badness(RankState state) {
  switch (state) {
    case RankState::kHung: return 0;
    case RankState::kStopped: return 0;
    case RankState::kFailed: return 1;
    case RankState::kSilent: return 2;
    case RankState::kPaused: return 3;
    default: return 9;
  }
}

bool is_straggler(const job::RankLine& line, const job::Explained& explained) {
  const auto& found = explained.straggler;
  if (!found || line.node != found->node) return false;
  return found->whole_node || line.number == found->rank;
}

void mean_into(Reading<double>& mean, const std::vector<const job::RankLine*>& ranks, Reading<double> job::RankLine::* value) {
  double sum = 0;
  double count = 0;
  for (const auto* rank : ranks) {
    if (!(rank->*value)) continue;
    sum += *(rank->*value);
    ++count;
  }
  mean.reset();
  if (count > 0) mean = sum / count;
}

std::string share_text(const Reading<double>& share) {
  return share ? format_number(*share * 100, 0) + " %" : std::string{kUnknownText};
}

std::string number_text(const Reading<double>& value, std::string_view unit, int decimals = 0) {
  return value ? ui::joined({format_number(*value, decimals), unit}) : std::string{kUnknownText};
}

}  // namespace

std::vector<TableColumn> job_columns(int width, bool by_node) {
  const bool wide = width >= 150;
  return {
      {by_node ? "RANKS" : "RANK", 5, 0},
      {"NODE", wide ? 12 : 8, 2, true},
      {"STATE", 10, 1, true},
      {"STEP", 8, 3},
      {wide ? "STEPS/S" : "ST/S", wide ? 7 : 5, 4},
      {"INPUT", 5, 5},
      {"HOST", 5, 8},
      {wide ? "COMPUTE" : "COMP", wide ? 7 : 5, 7},
      {wide ? "WAITING" : "WAIT", wide ? 7 : 5, 5},
      {"GPU", 5, 6},
      {"MEMORY", wide ? 14 : 6, 9},
      {"POWER", 6, 10},
      {"CLOCK", 8, 11},
      {wide ? "SPEED" : "SPEED", wide ? 14 : 6, 12, true},
      {"SAID LAST", 12, 13, true, -1},
  };
}

RowFigures RowFigures::of(const std::vector<const job::RankLine*>& ranks, bool grouped) {
  RowFigures row{ranks.size(), grouped, *ranks.front(), ranks.front()->step.value_or(0)};
  if (ranks.size() < 2) return row;
  using Line = job::RankLine;
  for (const auto value : {&Line::steps_per_second, &Line::input, &Line::host, &Line::compute, &Line::waiting, &Line::gpu_busy, &Line::clock})
    mean_into(row.line.*value, ranks, value);
  row.line.memory_used.reset();
  row.line.memory_total.reset();
  row.line.power.reset();
  for (const auto* rank : ranks) {
    if (badness(rank->state) < badness(row.line.state)) row.line.state = rank->state;
    if (rank->step) row.slowest_step = std::min(row.slowest_step, *rank->step);
    if (rank->memory_used) row.line.memory_used = Bytes{row.line.memory_used.value_or(Bytes{}).value() + rank->memory_used->value()};
    if (rank->memory_total) row.line.memory_total = Bytes{row.line.memory_total.value_or(Bytes{}).value() + rank->memory_total->value()};
    if (rank->power) row.line.power = row.line.power.value_or(0) + *rank->power;
  }
  row.line.step = row.slowest_step;
  return row;
}

Role state_role(RankState state) {
  switch (state) {
    case RankState::kTraining: return Role::kGood;
    case RankState::kHung:
    case RankState::kStopped:
    case RankState::kFailed: return Role::kBad;
    case RankState::kSilent:
    case RankState::kPaused:
    case RankState::kWaiting: return Role::kWarning;
    default: return Role::kMuted;
  }
}

TableCell job_cell(const RowFigures& row, const job::Explained& explained, JobColumn column, const Styles& styles, GlyphSet glyphs) {
  const auto& line = row.line;
  const bool late = row.count == 1 ? is_straggler(line, explained)
                                   : explained.straggler && explained.straggler->node == line.node;
  const auto share = [&](const Reading<double>& value) {
    return TableCell{share_text(value), value ? Role::kText : Role::kUnknown};
  };
  switch (column) {
    case JobColumn::kRank:
      if (row.grouped) return {std::to_string(row.count), Role::kTitle};
      return {line.number ? std::to_string(*line.number) : std::string{kUnknownText}, Role::kTitle};
    case JobColumn::kNode: return {printable(line.node), Role::kAccent};
    case JobColumn::kState: {
      const bool slow = late && line.state == RankState::kTraining;
      return {slow ? "last" : std::string{to_string(line.state)}, slow ? Role::kWarning : state_role(line.state)};
    }
    case JobColumn::kStep: return {line.step ? std::to_string(*line.step) : std::string{kUnknownText}};
    case JobColumn::kSpeed: return {number_text(line.steps_per_second, "", line.steps_per_second.value_or(0) < 10 ? 2 : 1)};
    case JobColumn::kInput: return {share_text(line.input), late && line.input.value_or(0) > 0.2 ? Role::kWarning : Role::kText};
    case JobColumn::kHost: return share(line.host);
    case JobColumn::kCompute: return share(line.compute);
    case JobColumn::kWaiting: return share(line.waiting);
    case JobColumn::kBusy: return {number_text(line.gpu_busy, " %")};
    case JobColumn::kMemory: {
      const auto part = share_of(line.memory_used, line.memory_total);
      return {part ? used_of_text(line.memory_used, line.memory_total) : std::string{kUnknownText}};
    }
    case JobColumn::kPower: return {number_text(line.power, " W")};
    case JobColumn::kClock: return {number_text(line.clock, " MHz")};
    case JobColumn::kSpark: {
      float top = 0;
      for (const auto value : line.speed) top = std::max(top, value);
      std::vector<Reading<float>> values;
      for (const auto value : line.speed) values.emplace_back(top > 0 ? value / top : 0);
      return {"", Role::kThroughput, sparkline(styles, std::move(values), Role::kThroughput, glyphs)};
    }
    case JobColumn::kSaid: return {line.said, Role::kMuted};
  }
  return {};
}

RowKey row_key(const std::vector<const job::RankLine*>& ranks, const job::Explained& explained, JobOrder order) {
  const auto row = RowFigures::of(ranks);
  const auto& line = row.line;
  const double number = line.number.value_or(~0U);
  switch (order) {
    case JobOrder::kTrouble: {
      const bool late = std::any_of(ranks.begin(), ranks.end(), [&](const auto* rank) { return is_straggler(*rank, explained); });
      // Who comes last waits least.
      return {{late ? std::min(4.0, badness(line.state)) : badness(line.state), ""}, line.waiting.value_or(2)};
    }
    case JobOrder::kRank: return {{0, ""}, number};
    case JobOrder::kNode: return {{0, line.node}, number};
    case JobOrder::kSpeed: return {{0, ""}, line.steps_per_second.value_or(1e300)};
    case JobOrder::kWaiting: return {{0, ""}, -line.waiting.value_or(-1)};
    case JobOrder::kBusy: return {{0, ""}, line.gpu_busy.value_or(1e300)};
  }
  return {};
}

std::vector<std::pair<std::string, Role>> explained_in_words(const job::Whole& whole) {
  std::vector<std::pair<std::string, Role>> lines;
  const auto& found = whole.explained;
  if (found.hung) lines.emplace_back(job::as_sentence(to_words(*found.hung)), Role::kBad);
  if (found.straggler) lines.emplace_back(job::as_sentence(to_words(*found.straggler)), Role::kWarning);
  if (found.imbalance) lines.emplace_back(job::as_sentence(to_words(*found.imbalance)), Role::kWarning);
  if (lines.empty() && found.communication_ms && found.communication_share) {
    const bool much = *found.communication_share >= job::kMuchCommunication;
    lines.emplace_back(ui::joined({much ? "The exchange between the ranks takes " : "No rank holds the others up. The exchange takes ",
                               format_number(*found.communication_ms, 1), " ms, ", format_number(100 * *found.communication_share, 0),
                               " % of a step, when all are ready"}),
                       much ? Role::kWarning : Role::kGood);
  }
  if (lines.empty() && !whole.lines.empty())
    lines.emplace_back(found.ranks < 2 ? "What the ranks wait for is not known: the lens has not reported an exchange" : "Too few steps so far to compare the ranks",
                       Role::kMuted);
  return lines;
}

}  // namespace gputop::ui
