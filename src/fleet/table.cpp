#include "gputop/fleet/table.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "gputop/core/format.hpp"

namespace gputop::fleet {
namespace {

Cell number_cell(const Reading<double>& value, int decimals, std::string_view unit = "", Level level = Level::kOk) {
  if (!value) return {std::string{kUnknownText}};
  return {format_number(*value, decimals) + std::string{unit}, value, level};
}
Cell count_cell(unsigned count, Level level = Level::kOk) {
  return {std::to_string(count), static_cast<double>(count), count > 0 ? level : Level::kOk};
}
template <class Unit>
Reading<double> plain(const Reading<Unit>& reading, double factor = 1) {
  return reading ? Reading<double>{static_cast<double>(reading->value()) * factor} : std::nullopt;
}
Reading<double> times(const Reading<double>& reading, double factor) {
  return reading ? Reading<double>{*reading * factor} : std::nullopt;
}

// "ada, bob +3"
std::string list_of(const std::vector<std::string>& names, std::size_t most = 2) {
  if (names.empty()) return std::string{kUnknownText};
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) text += (i > 0 ? ", " : "") + names[i];
  if (names.size() > most) text += " +" + std::to_string(names.size() - most);
  return text;
}

Cell cost_cell(unsigned wasted, const Reading<double>& price) {
  if (!price) return {std::string{kUnknownText}};
  const double cost = wasted * *price;
  return {wasted > 0 ? money(cost) : "", cost, Level::kWarning};
}

std::string_view level_word(Level level) {
  return level == Level::kBad ? "bad" : level == Level::kWarning ? "warning" : "info";
}

Table troubles(const Fleet& fleet) {
  Table table{{{"", 7, 1, true}, {"TROUBLE", 16, 0, true}, {"WHERE", 16, 0, true, 14}, {"WHAT IS KNOWN", 20, 2, true, -1}}, {}};
  for (const auto& trouble : fleet.troubles) {
    table.rows.push_back({.node = trouble.node,
                          .gpu = trouble.gpu,
                          .job = trouble.job,
                          .user = "",
                          .cells = {{std::string{level_word(trouble.level)}, -static_cast<double>(trouble.level), trouble.level},
                                    {trouble.what, std::nullopt, trouble.level},
                                    {trouble.where},
                                    {trouble.text}}});
  }
  return table;
}

Table nodes(const Fleet& fleet, const Reading<double>& price) {
  Table table{{{"NODE", 12, 0, true, 12},
               {"GPUS", 4, 1},
               {"HELD", 4, 3},
               {"BUSY", 5, 0},
               {"IDLE HELD", 9, 2},
               {"COST/H", 8, 5},
               {"POWER", 8, 4},
               {"CPU", 5, 6},
               {"MEM", 5, 7},
               {"USERS", 12, 8, true, -1}},
              {}};
  for (const auto& node : fleet.nodes) {
    table.rows.push_back({.node = node.name,
                          .gpu = "",
                          .job = "",
                          .user = "",
                          .cells = {{node.name, std::nullopt, node.level},
                                    count_cell(node.gpus),
                                    count_cell(node.held),
                                    number_cell(node.utilization, 0, " %"),
                                    count_cell(node.wasted, Level::kWarning),
                                    cost_cell(node.wasted, price),
                                    number_cell(node.power, 0, " W"),
                                    number_cell(times(node.cpu, 100), 0, " %"),
                                    number_cell(times(node.memory, 100), 0, " %"),
                                    {list_of(node.users)}}});
  }
  std::stable_sort(table.rows.begin(), table.rows.end(), [](const Row& a, const Row& b) {
    return std::pair{a.cells[0].level, a.cells[4].number} > std::pair{b.cells[0].level, b.cells[4].number};
  });
  return table;
}

Level level_of(const Gpu& gpu) {
  if (gpu.lost || gpu.throttled_by_heat || gpu.new_xids > 0) return Level::kBad;
  return gpu.wasted() ? Level::kWarning : Level::kOk;
}

std::string state_of(const Gpu& gpu) {
  if (gpu.lost) return "lost";
  if (gpu.new_xids > 0) return "Xid";
  if (gpu.throttled_by_heat) return "hot";
  if (gpu.wasted()) return "idle held";
  if (gpu.throttled_by_power) return "power cap";
  if (!gpu.held) return std::string{kUnknownText};
  return *gpu.held ? "held" : "free";
}

Table gpus(const Fleet& fleet) {
  Table table{{{"NODE", 12, 0, true, 8},
               {"GPU", 3, 0},
               {"STATE", 9, 0, true},
               {"BUSY", 5, 0},
               {"30 MIN", 6, 3},
               {"MEMORY", 9, 2},
               {"POWER", 7, 4},
               {"TEMP", 6, 5},
               {"USER", 10, 1, true, 8},
               {"JOB", 10, 1, true, 10},
               {"MODEL", 12, 6, true, 20},
               {"UUID", 10, 7, true, -1}},
              {}};
  for (const auto& gpu : fleet.gpus) {
    const auto level = level_of(gpu);
    std::string memory{kUnknownText};
    if (gpu.memory_used) memory = format_bytes(*gpu.memory_used);
    table.rows.push_back({.node = gpu.node,
                          .gpu = gpu.uuid,
                          .job = gpu.jobs.empty() ? "" : gpu.jobs.front(),
                          .user = gpu.users.empty() ? "" : gpu.users.front(),
                          .cells = {{gpu.node},
                                    {gpu.index.empty() ? std::string{kUnknownText} : gpu.index},
                                    {state_of(gpu), -static_cast<double>(level), level},
                                    number_cell(plain(gpu.utilization), 0, " %"),
                                    number_cell(plain(gpu.recent), 0, " %"),
                                    {memory, plain(gpu.memory_used)},
                                    number_cell(plain(gpu.power), 0, " W"),
                                    number_cell(plain(gpu.temperature), 0, " °C"),
                                    {list_of(gpu.users)},
                                    {list_of(gpu.jobs)},
                                    {gpu.name.empty() ? std::string{kUnknownText} : gpu.name},
                                    {gpu.uuid}}});
  }
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [](const Row& a, const Row& b) { return a.cells[2].level > b.cells[2].level; });
  return table;
}

std::string progress_of(const Job& job) {
  if (!job.step) return std::string{kUnknownText};
  return format_number(*job.step, 0) + (job.planned ? "/" + format_number(*job.planned, 0) : std::string{});
}

Table jobs(const Fleet& fleet) {
  Table table{{{"JOB", 10, 0, true, 10},
               {"NAME", 10, 3, true, 8},
               {"USER", 8, 4, true, 6},
               {"NODES", 5, 5},
               {"RANKS", 5, 6},
               {"GPUS", 4, 1},
               {"BUSY", 5, 0},
               {"STEP", 11, 2},
               {"SPEED", 16, 2},
               {"WAITS", 6, 1},
               {"LOSS", 8, 5},
               {"LEFT", 10, 7},
               {"ADVICE", 16, 1, true, -1}},
              {}};
  for (const auto& job : fleet.jobs) {
    Cell advice{std::string{kUnknownText}};
    if (job.by_gputop) advice = {"", 0.0};
    if (!job.advice.empty()) {
      const auto& first = job.advice.front();
      advice = {first.title + (first.change.empty() ? "" : ": " + first.change), -static_cast<double>(first.level), first.level};
    }
    const auto speed = job.rate ? format_number(*job.rate, *job.rate < 10 ? 2 : 0) + " " + job.rate_unit : std::string{kUnknownText};
    const auto left = job.remaining ? format_duration(from_seconds(*job.remaining)) : std::string{kUnknownText};
    auto wait = number_cell(times(job.input_wait, 100), 0, " %");
    if (job.input_wait && *job.input_wait > 0.3) wait.level = Level::kWarning;
    table.rows.push_back({.node = "",
                          .gpu = "",
                          .job = job.id,
                          .user = "",
                          .cells = {{job.id},
                                    {job.name.empty() ? std::string{kUnknownText} : job.name},
                                    {list_of(job.users)},
                                    count_cell(static_cast<unsigned>(job.nodes.size())),
                                    job.ranks > 0 ? count_cell(job.ranks) : Cell{std::string{kUnknownText}},
                                    count_cell(job.gpus),
                                    number_cell(job.utilization, 0, " %"),
                                    {progress_of(job), job.step},
                                    {speed, job.rate},
                                    wait,
                                    number_cell(job.loss, 4),
                                    {left, job.remaining},
                                    advice}});
  }
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [](const Row& a, const Row& b) { return a.cells.back().level > b.cells.back().level; });
  return table;
}

Table users(const Fleet& fleet, const Reading<double>& price) {
  Table table{{{"USER", 12, 0, true, 10},
               {"GPUS", 4, 0},
               {"BUSY", 5, 0},
               {"IDLE HELD", 9, 1},
               {"COST/H", 9, 2},
               {"NODES", 20, 3, true, -1}},
              {}};
  for (const auto& user : fleet.users) {
    table.rows.push_back({.node = "",
                          .gpu = "",
                          .job = "",
                          .user = user.name,
                          .cells = {{user.name},
                                    count_cell(user.gpus),
                                    number_cell(user.utilization, 0, " %"),
                                    count_cell(user.wasted, Level::kWarning),
                                    cost_cell(user.wasted, price),
                                    {list_of(user.nodes, 8)}}});
  }
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [](const Row& a, const Row& b) { return a.cells[3].number > b.cells[3].number; });
  return table;
}

std::string small(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool matches(const Row& row, const std::string& filter) {
  if (filter.empty()) return true;
  std::string all;
  for (const auto& cell : row.cells) all += small(cell.text) + "\n";
  std::size_t begin = 0;
  const auto wanted = small(filter);
  while (begin < wanted.size()) {
    const auto end = std::min(wanted.find(' ', begin), wanted.size());
    if (all.find(wanted.substr(begin, end - begin)) == std::string::npos) return false;
    begin = end + 1;
  }
  return true;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool belongs(const Fleet& fleet, const Row& row, const Selection& selection) {
  if (!selection.node.empty() && row.node != selection.node) return false;
  if (!selection.gpu.empty() && row.gpu != selection.gpu) return false;
  if (selection.job.empty() && selection.user.empty()) return true;
  const auto* gpu = fleet.gpu(row.gpu);
  if (gpu == nullptr) return selection.user.empty() && row.job == selection.job;
  return (selection.job.empty() || has(gpu->jobs, selection.job)) && (selection.user.empty() || has(gpu->users, selection.user));
}

// Unknown values come last in either direction.
void sort_by(std::vector<Row>& rows, std::size_t column, bool descending) {
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    const auto& left = a.cells[column];
    const auto& right = b.cells[column];
    const bool known_left = left.text != kUnknownText;
    const bool known_right = right.text != kUnknownText;
    if (known_left != known_right) return known_left;
    if (left.number && right.number) return descending ? *left.number > *right.number : *left.number < *right.number;
    return descending ? left.text > right.text : left.text < right.text;
  });
}

}  // namespace

std::string_view title_of(Tab tab) {
  constexpr std::array<std::string_view, kTabs> kTitles{"Troubles", "Nodes", "GPUs", "Jobs", "Users"};
  return kTitles[static_cast<std::size_t>(tab)];
}

Table make_table(const Fleet& fleet, Tab tab, const Selection& selection, Reading<double> price) {
  auto table = [&] {
    switch (tab) {
      case Tab::kTroubles: return troubles(fleet);
      case Tab::kNodes: return nodes(fleet, price);
      case Tab::kGpus: return gpus(fleet);
      case Tab::kJobs: return jobs(fleet);
      case Tab::kUsers: break;
    }
    return users(fleet, price);
  }();
  std::erase_if(table.rows, [&](const Row& row) { return !belongs(fleet, row, selection) || !matches(row, selection.filter); });
  if (selection.sort && *selection.sort < table.columns.size()) sort_by(table.rows, *selection.sort, selection.descending);
  return table;
}

std::string money(double amount) {
  return "$" + format_number(amount, amount < 1000 ? 2 : 0) + "/h";
}

std::string summary(const Fleet& fleet, Reading<double> price) {
  const auto counted = [](std::size_t count, std::string_view one) {
    return std::to_string(count) + " " + std::string{one} + (count == 1 ? "" : "s");
  };
  std::string text = counted(fleet.nodes.size(), "node") + " · " + counted(fleet.gpus.size(), "GPU");
  if (const auto busy = fleet.utilization()) text += " · " + format_number(*busy, 0) + " % busy";
  if (const auto wasted = fleet.wasted(); wasted > 0) {
    text += " · " + std::to_string(wasted) + " idle but held";
    if (price) text += ", " + money(wasted * *price);
  }
  if (!fleet.jobs.empty()) text += " · " + counted(fleet.jobs.size(), "job");
  return text + " · " + (fleet.troubles.empty() ? "no troubles" : counted(fleet.troubles.size(), "trouble"));
}

}  // namespace gputop::fleet
