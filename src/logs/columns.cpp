#include "gputop/logs/columns.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "gputop/core/scan.hpp"
#include "logs/meaning.hpp"
#include "logs/metric_field.hpp"
#include "logs/piece_set.hpp"
#include "logs/prefix.hpp"
#include "logs/text.hpp"
#include "logs/vocabulary.hpp"
#include "logs/words.hpp"

namespace gputop {
namespace {

constexpr std::size_t kLongestHeader = 400;
constexpr std::size_t kLongestName = 40;
constexpr std::size_t kMostColumns = 40;
// A table has a column that counts: the sieve for its header.
constexpr logs::PieceSet kCounters{std::array<std::string_view, 4>{"poch", "step", "iter", "loss"}};
constexpr std::string_view kNotInNames = ":={}\"";

logs::Meaning meaning_of(std::string_view name, bool whole) {
  return logs::understand({.key = name,
                           .unit = {},
                           .value = whole ? 1 : 1.5,
                           .of = std::nullopt,
                           .digits = whole ? 1 : 2,
                           .whole = whole,
                           .begin = 0})
      .meaning;
}

bool counts(std::string_view name) {
  const auto meaning = meaning_of(name, true);
  return meaning == logs::Meaning::kStep || meaning == logs::Meaning::kTotalSteps || meaning == logs::Meaning::kEpoch;
}

// A column that only a training run's table has.
bool measures(std::string_view name) {
  const logs::Words words{name};
  if (words.has("loss")) return true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const std::string_view error : {"rmse", "mae", "mse", "psnr", "acc"}) {
      if (words[i].starts_with(error)) return true;
    }
  }
  switch (meaning_of(name, false)) {
    case logs::Meaning::kLoss:
    case logs::Meaning::kPartLoss:
    case logs::Meaning::kHeldOutLoss:
    case logs::Meaning::kLearningRate:
    case logs::Meaning::kStepRate:
    case logs::Meaning::kSampleRate:
    case logs::Meaning::kTokenRate:
    case logs::Meaning::kStepTime:
    case logs::Meaning::kDataTime:
    case logs::Meaning::kEta: return true;
    default: return false;
  }
}

bool is_name(std::string_view cell) {
  return !cell.empty() && cell.size() <= kLongestName && !logs::is_digit(char_at(cell, 0)) &&
         cell.find_first_of(kNotInNames) == std::string_view::npos;
}

// "Step (% Done)" is a step, spaCy's "E" and "#" are epoch and step.
std::string_view plain_name(std::string_view name) {
  if (name == "E") return "epoch";
  if (name == "#") return "step";
  const auto open = name.find('(');
  return open != std::string_view::npos && logs::contains(slice(name, open), "%") ? logs::trimmed(slice(name, 0, open))
                                                                                  : name;
}

// A cell that says that there is nothing.
bool is_absent(std::string_view cell) {
  return cell.empty() || cell == "-" || cell == "--" || cell == "None" || cell == "N/A" || cell == "\xE2\x80\x93" ||
         cell == "\xE2\x80\x94";
}

}  // namespace

std::vector<std::string_view> ColumnReader::cells(std::string_view line, Mark mark) {
  constexpr std::array<std::string_view, 3> kWalls{"|", "\xE2\x94\x82", "\xE2\x94\x83"};
  line = logs::trimmed(line);
  const auto mark_at = [&](std::size_t at) -> std::size_t {  // its length
    switch (mark) {
      case Mark::kWall:
        for (const auto wall : kWalls) {
          if (slice(line, at).starts_with(wall)) return wall.size();
        }
        return 0;
      case Mark::kTab: return char_at(line, at) == '\t' ? 1 : 0;
      case Mark::kComma: return char_at(line, at) == ',' ? 1 : 0;
      case Mark::kBlanks:
      case Mark::kBlank: {
        const auto end = std::min(line.find_first_not_of(' ', at), line.size());
        return end - at >= (mark == Mark::kBlank ? 1 : 2) ? end - at : 0;
      }
    }
    return 0;
  };
  std::vector<std::string_view> found;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < line.size() && found.size() <= kMostColumns;) {
    const auto length = mark_at(at);
    if (length == 0) {
      ++at;
      continue;
    }
    found.push_back(logs::trimmed(slice(line, begin, at - begin)));
    at += length;
    begin = at;
  }
  found.push_back(logs::trimmed(slice(line, begin)));
  if (mark == Mark::kWall) {  // outside the first and the last wall there is nothing
    if (found.front().empty()) found.erase(found.begin());
    if (!found.empty() && found.back().empty()) found.pop_back();
  }
  return found;
}

// A row in which cells are empty: each of the others stands below its name. {}: one does not.
std::vector<std::string_view> ColumnReader::by_place(std::string_view line,
                                                     const std::vector<std::string_view>& row) const {
  constexpr std::size_t kBeside = 2;
  std::vector<std::string_view> placed(names_.size());
  for (const auto& cell : row) {
    const auto at = static_cast<std::size_t>(cell.data() - line.data());
    const auto column = std::find_if(begins_.begin(), begins_.end(),
                                     [&](std::size_t begin) { return at + kBeside >= begin && at <= begin + kBeside; });
    if (column == begins_.end()) return {};
    auto& place = placed[static_cast<std::size_t>(column - begins_.begin())];
    if (!place.empty()) return {};
    place = cell;
  }
  return placed;
}

bool ColumnReader::take_header(std::string_view line) {
  if (line.starts_with("# ") && logs::is_alpha(char_at(line, 2))) skip_front(line, 2);
  if (line.size() > kLongestHeader || line.find_first_of(kNotInNames) != std::string_view::npos ||
      !kCounters.any_in(line))
    return false;
  for (const auto mark : {Mark::kWall, Mark::kTab, Mark::kComma, Mark::kBlanks, Mark::kBlank}) {
    auto names = cells(line, mark);
    // "Epoch batch" are two, though one blank is between them.
    if (mark == Mark::kBlanks && std::any_of(names.begin(), names.end(), logs::names_epoch_and_step)) continue;
    for (auto& name : names) name = plain_name(name);
    if (names.size() < 2 || names.size() > kMostColumns || !std::all_of(names.begin(), names.end(), is_name)) continue;
    if (std::none_of(names.begin(), names.end(), counts) || std::none_of(names.begin(), names.end(), measures))
      continue;
    begins_.clear();
    for (const auto& name : names) begins_.push_back(static_cast<std::size_t>(name.data() - line.data()));
    names_.assign(names.begin(), names.end());
    mark_ = mark;
    narrow_.clear();
    if (mark != Mark::kBlanks) return true;
    auto narrow = cells(line, Mark::kBlank);
    if (narrow.size() <= kMostColumns && std::all_of(narrow.begin(), narrow.end(), is_name))
      narrow_.assign(narrow.begin(), narrow.end());
    return true;
  }
  return false;
}

std::optional<Progress> ColumnReader::read(std::string_view line) {
  const auto text = logs::without_prefix(line);
  if (take_header(text.text) || names_.empty()) return std::nullopt;
  auto row = cells(text.text, mark_);
  // One blank between the names of two columns: "Img/sec total_loss".
  if (mark_ == Mark::kBlanks && row.size() == narrow_.size() && row.size() > names_.size())
    names_ = std::exchange(narrow_, {});
  if (row.size() != names_.size() && mark_ == Mark::kBlanks) {
    // A column may be as wide as its figures: then one blank is between them.
    auto close = cells(text.text, Mark::kBlank);
    // As wide as its name, too: "epoch RMSE_train  RMSE_test".
    if (close.size() == narrow_.size() && close.size() > names_.size()) names_ = std::exchange(narrow_, {});
    row = close.size() == names_.size() ? std::move(close) : by_place(text.text, row);
  }
  if (row.size() != names_.size()) return std::nullopt;
  Progress progress;
  metrics_.clear();
  // Beside a loss on held-out data, a metric that does not say so is of that data, too.
  const bool validates = std::any_of(names_.begin(), names_.end(), [](const std::string& name) {
    return logs::role_of_key(name) == logs::Role::kHeldOut;
  });
  std::size_t texts = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (is_absent(row[i]) || row[i].starts_with('[')) continue;
    logs::FieldReader reader{row[i]};
    auto field = reader.next();
    // A cell that says itself what it is: "images/sec: 451.0 +/- 0.3".
    if (field && field->begin != 0 && logs::contains(slice(row[i], 0, field->begin), ": ")) {
      logs::apply(logs::understand(*field), *field, progress);
      continue;
    }
    if (!field || field->begin != 0) {
      if (counts(names_[i]) || ++texts > row.size() / 3) return std::nullopt;
      continue;  // a time, a name
    }
    if (const auto behind = logs::trimmed(slice(row[i], row[i].find(' '))); behind.size() == 1 && field->unit.empty())
      field->value *= logs::multiplier(first_char(behind)).value_or(1);  // "210.4 K"
    field->key = names_[i];
    field->role = logs::role_of_key(names_[i]);
    if (auto metric = logs::metric_of(*field, validates)) metrics_.push_back(*std::move(metric));
    auto understood = logs::understand(*field);
    if (understood.meaning == logs::Meaning::kTotalSteps) understood.meaning = logs::Meaning::kStep;
    logs::apply(understood, *field, progress);
  }
  if (!progress.step && !progress.epoch) return std::nullopt;
  progress.format = "columns";
  progress.rank = text.rank;
  progress.phase = Phase::kTraining;
  progress.step_in_epoch = progress.epoch && progress.step && progress.total;
  logs::complete(progress);
  return progress;
}

}  // namespace gputop
