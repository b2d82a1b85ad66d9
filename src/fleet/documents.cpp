// A fleet as text and as JSON.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "gputop/core/format.hpp"
#include "gputop/fleet/table.hpp"

namespace gputop::fleet {
namespace {

using Json = nlohmann::ordered_json;

// Counts characters as columns: names of nodes, users and jobs are plain.
std::size_t columns_in(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string aligned(const Table& table) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    auto width = columns_in(table.columns[i].title);
    for (const auto& row : table.rows) width = std::max(width, columns_in(row.cells[i].text));
    widths.push_back(width);
  }
  std::string text;
  const auto put = [&](auto cell_text) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string cell{cell_text(i)};
      const std::string room(widths[i] - columns_in(cell), ' ');
      line += table.columns[i].left ? cell + room + "  " : room + cell + "  ";
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  put([&](std::size_t i) { return table.columns[i].title; });
  for (const auto& row : table.rows) put([&](std::size_t i) { return std::string_view{row.cells[i].text}; });
  return text;
}

template <class T>
Json known(const Reading<T>& reading) {
  if (!reading) return nullptr;
  if constexpr (requires { reading->value(); }) {
    return reading->value();
  } else {
    return *reading;
  }
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

std::string_view word_of(Level level) {
  return level == Level::kBad ? "bad" : level == Level::kWarning ? "warning" : level == Level::kInfo ? "info" : "ok";
}

Json gpu_json(const Gpu& gpu) {
  return {{"uuid", gpu.uuid},
          {"node", gpu.node},
          {"index", text_or_null(gpu.index)},
          {"name", text_or_null(gpu.name)},
          {"utilization_percent", known(gpu.utilization)},
          {"utilization_30_minutes_percent", known(gpu.recent)},
          {"memory_used_bytes", known(gpu.memory_used)},
          {"memory_total_bytes", known(gpu.memory_total)},
          {"temperature_celsius", known(gpu.temperature)},
          {"power_watts", known(gpu.power)},
          {"power_limit_watts", known(gpu.power_limit)},
          {"held", known(gpu.held)},
          {"idle_but_held", gpu.held && gpu.recent ? Json(gpu.wasted()) : Json(nullptr)},
          {"users", gpu.users},
          {"jobs", gpu.jobs},
          {"lost", gpu.lost}};
}

Json job_json(const Job& job) {
  Json advice = Json::array();
  for (const auto& each : job.advice)
    advice.push_back({{"id", each.id}, {"severity", word_of(each.level)}, {"title", each.title}, {"change", text_or_null(each.change)}});
  return {{"id", job.id},
          {"name", text_or_null(job.name)},
          {"launcher", text_or_null(job.launcher)},
          {"nodes", job.nodes},
          {"users", job.users},
          {"ranks", job.by_gputop ? Json(job.ranks) : Json(nullptr)},
          {"gpus", job.gpus},
          {"idle_but_held_gpus", job.wasted},
          {"utilization_percent", known(job.utilization)},
          {"step", known(job.step)},
          {"planned_steps", known(job.planned)},
          {"rate", known(job.rate)},
          {"rate_unit", text_or_null(job.rate_unit)},
          {"input_wait_ratio", known(job.input_wait)},
          {"worst_rank", known(job.worst_rank)},
          {"loss", known(job.loss)},
          {"still_seconds", known(job.still)},
          {"remaining_seconds", known(job.remaining)},
          {"advice", advice}};
}

}  // namespace

std::string fleet_text(const Fleet& fleet, Reading<double> price) {
  std::string text = summary(fleet, price) + "\n";
  for (const auto tab : {Tab::kTroubles, Tab::kNodes, Tab::kJobs, Tab::kUsers, Tab::kGpus}) {
    const auto table = make_table(fleet, tab, {}, price);
    if (!table.rows.empty()) text += "\n" + std::string{title_of(tab)} + "\n" + aligned(table);
  }
  return text;
}

std::string fleet_json(const Fleet& fleet, Reading<double> price) {
  Json nodes = Json::array();
  for (const auto& node : fleet.nodes)
    nodes.push_back({{"name", node.name},
                     {"gpus", node.gpus},
                     {"held_gpus", node.held},
                     {"idle_but_held_gpus", node.wasted},
                     {"utilization_percent", known(node.utilization)},
                     {"power_watts", known(node.power)},
                     {"cpu_ratio", known(node.cpu)},
                     {"memory_ratio", known(node.memory)},
                     {"users", node.users}});
  Json gpus = Json::array();
  for (const auto& gpu : fleet.gpus) gpus.push_back(gpu_json(gpu));
  Json jobs = Json::array();
  for (const auto& job : fleet.jobs) jobs.push_back(job_json(job));
  Json users = Json::array();
  for (const auto& user : fleet.users)
    users.push_back({{"name", user.name},
                     {"gpus", user.gpus},
                     {"idle_but_held_gpus", user.wasted},
                     {"utilization_percent", known(user.utilization)},
                     {"nodes", user.nodes}});
  Json troubles = Json::array();
  for (const auto& trouble : fleet.troubles)
    troubles.push_back({{"severity", word_of(trouble.level)},
                        {"what", trouble.what},
                        {"where", trouble.where},
                        {"text", trouble.text},
                        {"node", text_or_null(trouble.node)},
                        {"gpu", text_or_null(trouble.gpu)},
                        {"job", text_or_null(trouble.job)}});
  const Json document{{"schema", "gputop.fleet/1"},
                      {"time", format_wall(fleet.at)},
                      {"exporters", fleet.exporters},
                      {"utilization_percent", known(fleet.utilization())},
                      {"idle_but_held_gpus", fleet.wasted()},
                      {"idle_cost_per_hour", price ? Json(fleet.wasted() * *price) : Json(nullptr)},
                      {"troubles", troubles},
                      {"nodes", nodes},
                      {"jobs", jobs},
                      {"users", users},
                      {"gpus", gpus}};
  return harmless_json(document.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace gputop::fleet
