// Fleet → FTXUI element.
#include <algorithm>
#include <cmath>

#include <ftxui/dom/elements.hpp>
#include <ftxui/dom/node.hpp>

#include "gputop/core/format.hpp"
#include "gputop/ui/fleet_interface.hpp"
#include "ui/elements.hpp"

namespace gputop::ui {
namespace {

Role role_of(fleet::Level level) {
  switch (level) {
    case fleet::Level::kBad: return Role::kBad;
    case fleet::Level::kWarning: return Role::kWarning;
    default: return Role::kText;
  }
}

// "12:03:11"
std::string clock_text(WallTime at) {
  const auto text = format_wall(at);  // 2026-11-16T03:37:00.000Z
  return text.size() >= 19 ? text.substr(11, 8) + " UTC" : text;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? std::string{kUnknownText} : text;
}

std::string figure(double value, const std::string& unit) {
  return format_number(value, value < 10 && unit != "%" ? 1 : 0) + (unit.empty() ? "" : " " + unit);
}

// Each cell of the screen holds two columns of a chart.
std::vector<std::optional<ChartColumn>> columns_of_series(const fleet::Series& series, double from, double to, int cells) {
  struct Sum {
    float total = 0;
    float min = 0;
    float max = 0;
    int count = 0;
  };
  std::vector<Sum> sums(static_cast<std::size_t>(std::max(1, cells) * 2));
  for (const auto& point : series.points) {
    const double share = to > from ? (point.time - from) / (to - from) : 0;
    const auto at = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(sums.size() - 1));
    auto& sum = sums[at];
    const auto value = static_cast<float>(point.value);
    sum.min = sum.count == 0 ? value : std::min(sum.min, value);
    sum.max = sum.count == 0 ? value : std::max(sum.max, value);
    sum.total += value;
    ++sum.count;
  }
  std::vector<std::optional<ChartColumn>> columns(sums.size());
  constexpr int kBetween = 3;  // columns a point stands for where there are fewer points; behind them nothing was scraped
  int since = kBetween;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto& sum = sums[i];
    since = sum.count > 0 ? 0 : since + 1;
    if (sum.count > 0) columns[i] = ChartColumn{sum.total / static_cast<float>(sum.count), sum.min, sum.max};
    if (since > 0 && since < kBetween && i > 0) columns[i] = columns[i - 1];
  }
  return columns;
}

}  // namespace

std::vector<FleetInterface::Chart> FleetInterface::charts() const {
  if (!fleet_) return {};
  const auto& selection = place().selection;
  const auto from_origin = [](std::string title, const fleet::Origin& origin, double top, Role role, std::string unit) {
    return Chart{std::move(title), origin.query, origin.factor, top, role, std::move(unit)};
  };
  if (const auto* gpu = fleet_->gpu(selection.gpu)) {
    const double memory = gpu->memory_total ? static_cast<double>(gpu->memory_total->value()) / 1073741824.0 : 0;
    const double power = gpu->power_limit ? gpu->power_limit->value() : 0;
    return {from_origin("busy", gpu->utilization_of, 100, Role::kUtilization, "%"),
            from_origin("memory", gpu->memory_of, memory, Role::kMemory, "GiB"),
            from_origin("power", gpu->power_of, power, Role::kPower, "W"),
            from_origin("temperature", gpu->temperature_of, 100, Role::kTemperature, "°C")};
  }
  if (!place().about_one) return {};
  // The mean of all GPUs it is about, by their own series.
  std::string all;
  double factor = 1;
  for (const auto& gpu : fleet_->gpus) {
    const auto is = [](const std::vector<std::string>& names, const std::string& name) {
      return name.empty() || std::find(names.begin(), names.end(), name) != names.end();
    };
    if (!selection.node.empty() && gpu.node != selection.node) continue;
    if (!is(gpu.jobs, selection.job) || !is(gpu.users, selection.user) || gpu.utilization_of.query.empty()) continue;
    factor = gpu.utilization_of.factor;
    if (all.size() > 6000) break;  // an address may not be longer
    all += (all.empty() ? "" : " or ") + gpu.utilization_of.query;
  }
  std::vector<Chart> wanted{{"busy, mean of its GPUs", all.empty() ? "" : "avg(" + all + ")", factor, 100, Role::kUtilization, "%"}};
  if (selection.job.empty()) return wanted;
  std::string job;
  for (const char c : selection.job) job += (c == '"' || c == '\\' ? "\\" : "") + std::string{c};
  const auto of_job = [&](const std::string& name) { return name + "{job_id=\"" + job + "\"}"; };
  const auto found = std::find_if(fleet_->jobs.begin(), fleet_->jobs.end(), [&](const auto& each) { return each.id == selection.job; });
  const bool tokens = found != fleet_->jobs.end() && found->rate_unit == "tokens/s";
  const std::string speed = tokens ? "gputop_run_tokens_per_second" : "gputop_run_samples_per_second";
  wanted.push_back({"speed, all ranks", "sum(" + of_job(speed) + ")", 1, 0, Role::kThroughput, tokens ? "tokens/s" : "samples/s"});
  wanted.push_back({"waits for data, worst rank", "max(" + of_job("gputop_run_input_wait_ratio") + ")", 100, 100, Role::kPcie, "%"});
  wanted.push_back({"loss", "min(" + of_job("gputop_run_loss") + ")", 1, 0, Role::kAccent, ""});
  return wanted;
}

ftxui::Element FleetInterface::head(WallTime now, int width) const {
  Spans left{{" gputop fleet ", Role::kTitle}};
  if (!fleet_) {
    left.push_back({problem_.empty() ? "asking " + options_.url + " …" : "", Role::kMuted});
    return line(styles_, std::move(left));
  }
  left.push_back({fleet::summary(*fleet_, options_.price), Role::kText});
  const auto age = std::chrono::duration_cast<std::chrono::seconds>(now - fleet_->at).count();
  Spans right;
  if (width >= 100) right.push_back({clock_text(fleet_->at) + ", " + std::to_string(std::max<std::int64_t>(0, age)) + " s ago ", Role::kMuted});
  return line(styles_, std::move(left), std::move(right));
}

ftxui::Element FleetInterface::tabs() const {
  Spans spans;
  for (std::size_t i = 0; i < fleet::kTabs; ++i) {
    const auto tab = static_cast<fleet::Tab>(i);
    const bool here = places_.front().tab == tab;
    spans.push_back({" " + std::to_string(i + 1), here ? Role::kAccent : Role::kKey});
    spans.push_back({" " + std::string{fleet::title_of(tab)} + " ", here ? Role::kTitle : Role::kMuted});
  }
  Spans right;
  const auto& selection = place().selection;
  if (typing_ || !selection.filter.empty())
    right.push_back({"filter: " + printable(selection.filter) + (typing_ ? "▏" : " "), Role::kAccent});
  return line(styles_, std::move(spans), std::move(right));
}

ftxui::Elements FleetInterface::facts(int width) const {
  const auto& selection = place().selection;
  ftxui::Elements lines;
  const auto say = [&](std::string name, std::string text, Role role = Role::kText) {
    lines.push_back(line(styles_, {{" " + name + " ", Role::kMuted}, {std::move(text), role}}));
  };
  if (const auto* gpu = fleet_->gpu(selection.gpu)) {
    lines.push_back(rule(styles_, {{" " + gpu->node + " GPU " + gpu->index + " ", Role::kTitle}}, {}, Role::kBorder));
    say("model", (gpu->name.empty() ? std::string{kUnknownText} : gpu->name) + "  " + gpu->uuid);
    say("held by", joined(gpu->users) + "  job " + joined(gpu->jobs));
    for (const auto& trouble : fleet_->troubles) {
      if (trouble.gpu == gpu->uuid) say(trouble.what, trouble.text, role_of(trouble.level));
    }
    return lines;
  }
  const auto found = std::find_if(fleet_->jobs.begin(), fleet_->jobs.end(), [&](const auto& job) { return job.id == selection.job; });
  if (!selection.job.empty() && found != fleet_->jobs.end()) {
    lines.push_back(rule(styles_, {{" job " + found->id + " ", Role::kTitle}, {found->name + " ", Role::kText}}, {}, Role::kBorder));
    say("on", joined(found->nodes) + "  by " + joined(found->users));
    for (const auto& advice : found->advice)
      say("advice", advice.title + (advice.change.empty() ? "" : ": " + advice.change), role_of(advice.level));
    return lines;
  }
  const auto what = !selection.node.empty() ? "node " + selection.node : "user " + selection.user;
  lines.push_back(rule(styles_, {{" " + what + " ", Role::kTitle}}, {}, Role::kBorder));
  for (const auto& trouble : fleet_->troubles) {
    const bool here = !selection.node.empty() && trouble.node == selection.node;
    if (here && trouble.gpu.empty() && static_cast<int>(lines.size()) < std::max(3, width / 40)) say(trouble.what, trouble.text, role_of(trouble.level));
  }
  return lines;
}

ftxui::Element FleetInterface::chart_row(const std::vector<Chart>& wanted, std::size_t first, std::size_t count, int width) const {
  ftxui::Elements row;
  const int each = width / static_cast<int>(count);
  for (std::size_t i = first; i < std::min(wanted.size(), first + count); ++i) {
    const auto& one = wanted[i];
    ChartPicture picture;
    picture.role = one.role;
    const fleet::Series* series = history_ && i < history_->series.size() ? &history_->series[i] : nullptr;
    double most = 0;
    if (series != nullptr) {
      for (const auto& point : series->points) most = std::max(most, point.value);
      picture.columns = columns_of_series(*series, history_->from, history_->to, each - kChartLabels - 1);
    }
    picture.top = one.top > 0 ? std::max(one.top, most) : std::max(most * 1.1, 1e-9);
    picture.top_text = figure(picture.top, "");
    picture.middle_text = figure(picture.top / 2, "");
    std::string now{kUnknownText};
    if (history_ == std::nullopt) now = "…";
    if (series != nullptr && !series->points.empty()) now = figure(series->points.back().value, one.unit);
    picture.title = {{" " + one.title + " ", Role::kTitle}, {now, series != nullptr && series->points.empty() ? Role::kUnknown : one.role}, {"  last 6 h", Role::kMuted}};
    row.push_back(chart(styles_, std::move(picture), options_.glyphs) | ftxui::size(ftxui::WIDTH, ftxui::EQUAL, each));
  }
  return ftxui::hbox(std::move(row));
}

ftxui::Elements FleetInterface::rows(int width, int height) {
  const auto shown = table();
  std::vector<TableColumn> columns;
  const auto& selection = place().selection;
  for (std::size_t i = 0; i < shown.columns.size(); ++i) {
    const auto& column = shown.columns[i];
    std::string title{column.title};
    if (selection.sort == i) title += selection.descending ? "↓" : "↑";
    columns.push_back({std::move(title), column.width, column.rank, column.left, column.grow});
  }
  const auto places = fit_columns(columns, width - 1);
  ftxui::Elements lines{table_head(styles_, columns, places)};
  page_height_ = std::max(1, height - 1);
  clamp_cursor(static_cast<int>(shown.rows.size()), page_height_);
  if (shown.rows.empty()) {
    const bool filtered = !selection.filter.empty();
    const bool well = place().tab == fleet::Tab::kTroubles && !filtered;
    lines.push_back(line(styles_, {{well ? " nothing is wrong" : filtered ? " nothing matches the filter" : " nothing here", well ? Role::kGood : Role::kMuted}}));
  }
  const int end = std::min(static_cast<int>(shown.rows.size()), place().top + page_height_);
  for (int i = place().top; i < end; ++i) {
    std::vector<TableCell> cells;
    for (const auto& at : places) {
      const auto& cell = shown.rows[static_cast<std::size_t>(i)].cells[at.column];
      cells.push_back({cell.text, role_of(cell.level)});
    }
    auto row = table_row(styles_, columns, places, std::move(cells));
    lines.push_back(i == place().cursor ? over(row, styles_[Role::kSelection]) : row);
  }
  return lines;
}

ftxui::Element FleetInterface::foot() const {
  if (typing_) return line(styles_, {{" Enter", Role::kKey}, {" keep  ", Role::kKeyLabel}, {"Esc", Role::kKey}, {" no filter", Role::kKeyLabel}});
  Spans spans;
  struct Key {
    std::string_view key;
    std::string_view label;
  };
  for (const auto& [key, label] : {Key{" 1-5", " tables  "}, Key{"Enter", " look into  "}, Key{"Esc", " back  "}, Key{"/", " filter  "},
                                   Key{"s", " sort  "}, Key{"r", " reverse  "}, Key{"R", " read now  "}, Key{"q", " quit"}}) {
    spans.push_back({std::string{key}, Role::kKey});
    spans.push_back({std::string{label}, Role::kKeyLabel});
  }
  return line(styles_, std::move(spans));
}

void FleetInterface::render(ftxui::Screen& screen, WallTime now) {
  const int width = screen.dimx();
  const int height = screen.dimy();
  ftxui::Elements lines{head(now, width)};
  if (!problem_.empty()) {
    const auto shown = fleet_ ? "; shown: " + clock_text(fleet_->at) : std::string{};
    lines.push_back(line(styles_, {{" Prometheus has not answered since " + clock_text(problem_since_) + shown + ": " + printable(problem_), Role::kBad}}));
  }
  lines.push_back(tabs());
  if (fleet_) {
    const bool has_gpu = !place().selection.gpu.empty();
    if (place().about_one) {
      for (auto& fact : facts(width)) lines.push_back(std::move(fact));
      const auto wanted = charts();
      const int left = height - static_cast<int>(lines.size()) - 1;
      const int table_rows = has_gpu ? 3 : std::max(5, left / 3);
      const std::size_t across = width >= 120 ? 2 : 1;
      const auto down = static_cast<int>((wanted.size() + across - 1) / across);
      const int fit = std::clamp((left - table_rows) / 6, 0, down);
      for (int i = 0; i < fit; ++i) {
        const int tall = std::min(12, (left - table_rows) / fit);
        lines.push_back(chart_row(wanted, static_cast<std::size_t>(i) * across, std::min(across, wanted.size()), width) |
                        ftxui::size(ftxui::HEIGHT, ftxui::EQUAL, tall));
      }
    }
    // What is above it takes more than a row where it is a chart: the table has what is left of the screen.
    auto above = ftxui::vbox(lines);
    above->ComputeRequirement();
    const int used = above->requirement().min_y;
    for (auto& row : rows(width, std::max(2, height - used - 1))) lines.push_back(std::move(row));
  }
  lines.push_back(ftxui::filler());
  lines.push_back(foot());
  screen.Clear();
  ftxui::Render(screen, ftxui::vbox(std::move(lines)));
}

}  // namespace gputop::ui
