#include "report/cards_text.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "gputop/core/format.hpp"
#include "gputop/report/estimate.hpp"

namespace gputop {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

int decimals_of(double value) {
  return value < 10 ? 1 : 0;
}

// Two figures are as much as a range of ±30 % is worth.
std::string two_figures(double value) {
  if (!(value > 0)) return "0";
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  const double near = std::round(value / unit) * unit;
  return format_number(near, decimals_of(near));
}

std::string between(double low, double high) {
  return two_figures(low) + "–" + two_figures(high);
}

std::string time_between(const Between& seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  constexpr double kDay = 86400;
  const auto in = [&](double unit, const char* name) { return between(seconds.low / unit, seconds.high / unit) + " " + name; };
  if (seconds.high < 2 * kMinute) return in(1, "s");
  if (seconds.high < 2 * kHour) return in(kMinute, "min");
  return seconds.high < 2 * kDay ? in(kHour, "h") : in(kDay, "d");
}

std::string money_between(const Between& cost) {
  const int decimals = cost.high < 10 ? 2 : 0;
  return format_number(cost.low, decimals) + "–" + format_number(cost.high, decimals);
}

std::string mfu_of(const CardSpeed& speed) {
  return speed.mfu ? format_number(100 * *speed.mfu, 0) + " %" : std::string{kUnknownText};
}

std::string fits_word(const CardRow& row) {
  if (row.verdict != FitVerdict::kDoesNotFit) return std::string{to_string(row.verdict)};
  return row.gpus ? "on " + std::to_string(*row.gpus) + " GPUs" : "does not fit";
}

std::vector<std::string> table_row(const CardRow& row) {
  const std::string unknown{kUnknownText};
  return {"  " + row.card.name,
          format_bytes(row.card.memory),
          fits_word(row),
          std::to_string(row.batch),
          row.speed ? between(row.speed->low, row.speed->high) : unknown,
          row.speed ? mfu_of(*row.speed) : unknown,
          row.epoch_seconds ? time_between(*row.epoch_seconds) : unknown,
          row.epoch_cost ? money_between(*row.epoch_cost) : unknown,
          row.best ? std::to_string(row.best->batch) : unknown};
}

std::string one_card(const CardRow& row) {
  if (!row.speed) return {};
  std::string text = "speed at batch " + std::to_string(row.batch) + ": " + between(row.speed->low, row.speed->high) +
                     " samples/s on " + row.card.name;
  if (row.speed->mfu) text += ", MFU " + mfu_of(*row.speed);
  if (row.epoch_seconds) text += "; an epoch in " + time_between(*row.epoch_seconds);
  if (row.epoch_cost) text += ", for " + money_between(*row.epoch_cost);
  return text + " (calculated from the card's peaks; a loader may be slower)\n";
}

Json range_json(const std::optional<Between>& range) {
  return range ? Json({range->low, range->high}) : Json(nullptr);
}

Json row_json(const CardRow& row) {
  return {{"name", row.card.name},
          {"memory_bytes", row.card.memory.value()},
          {"verdict", to_string(row.verdict)},
          {"gpus_needed", row.gpus ? Json(*row.gpus) : Json(nullptr)},
          {"batch_size", row.batch},
          {"largest_batch_size", row.best ? Json(row.best->batch) : Json(nullptr)},
          {"samples_per_second", row.speed ? Json(row.speed->samples_per_second) : Json(nullptr)},
          {"samples_per_second_range", row.speed ? Json({row.speed->low, row.speed->high}) : Json(nullptr)},
          {"mfu_percent", row.speed && row.speed->mfu ? Json(std::round(1000 * *row.speed->mfu) / 10) : Json(nullptr)},
          {"epoch_seconds_range", range_json(row.epoch_seconds)},
          {"price_per_hour", row.price ? Json(*row.price) : Json(nullptr)},
          {"epoch_cost_range", range_json(row.epoch_cost)}};
}

}  // namespace

std::string cards_text(const CardComparison& cards) {
  if (cards.rows.empty()) return {};
  if (!cards.several) return one_card(cards.rows.front());
  Rows rows{{"  card", "memory", "", "batch", "samples/s", "MFU", "epoch", "cost", "largest"}};
  std::string never;
  for (const auto& row : cards.rows) {
    if (row.verdict == FitVerdict::kDoesNotFit && !row.gpus) never += (never.empty() ? "" : ", ") + row.card.name;
    else rows.push_back(table_row(row));
  }
  std::string text = "\ncards, the best first: speed of one GPU without its loader, in the range of four in five published runs\n";
  if (rows.size() > 1) text += aligned(rows);
  if (!never.empty()) text += "  not even on " + std::to_string(kMostGpus) + " of them: " + never + "\n";
  return text;
}

nlohmann::ordered_json cards_json(const CardComparison& cards) {
  Json list = Json::array();
  for (const auto& row : cards.rows) list.push_back(row_json(row));
  return list;
}

}  // namespace gputop
