#include "gputop/core/format.hpp"
#include "gputop/report/comparison.hpp"
#include "report/document.hpp"
#include "report/figures.hpp"
#include "report/json_values.hpp"

namespace gputop {
namespace {

// As the screen has it; the names in JSON are a contract.
std::string name_in_words(const std::string& name) {
  return name == "throughput" ? "speed" : name == "utilization" ? "busy" : name;
}

using namespace report;

std::vector<std::string> letters(const Comparison& comparison, std::string first) {
  std::vector<std::string> cells{std::move(first)};
  for (const auto& name : comparison.names) cells.push_back(name.substr(0, 1));
  return cells;
}

Table metrics_table(const Comparison& comparison) {
  Table table{letters(comparison, "steady phase"), {}};
  for (std::size_t i = 1; i < comparison.names.size(); ++i)
    table.header.push_back(comparison.names[i].substr(0, 1) + " against A");
  for (const auto& metric : comparison.metrics) {
    std::vector<std::string> row{name_in_words(metric.name) + ", " + metric.unit};
    for (const auto& mean : metric.means) row.push_back(mean ? rate(*mean) : std::string{kUnknownText});
    for (std::size_t i = 1; i < metric.differences.size(); ++i) {
      const auto& change = metric.differences[i];
      std::string text{kUnknownText};
      if (change && change->relative)
        text = percent_change(*change->relative) + (change->certain() == false ? " (noise)" : "");
      row.push_back(std::move(text));
    }
    table.rows.push_back(std::move(row));
  }
  std::vector<std::string> lengths{"length"};
  for (const auto length : comparison.steady) lengths.push_back(format_duration(length));
  lengths.resize(table.header.size());
  table.rows.push_back(std::move(lengths));
  return table;
}

Section configuration(const Comparison& comparison) {
  Section section{"What differed in configuration", {}};
  if (comparison.settings.empty()) {
    section.elements.push_back(Paragraph{"Nothing that is known."});
    return section;
  }
  Table table{letters(comparison, ""), {}};
  for (const auto& setting : comparison.settings) {
    std::vector<std::string> row{setting.name};
    for (const auto& value : setting.values) row.push_back(value.empty() ? std::string{kUnknownText} : value);
    if (setting.name == "command line") row[1] = "(as it was)";
    table.rows.push_back(std::move(row));
  }
  section.elements.push_back(std::move(table));
  return section;
}

std::string words_of(int better) {
  return better > 0 ? "higher is better" : better < 0 ? "lower is better" : "";
}

// How well each run learned: the last printed value, and the best.
Section results(const Comparison& comparison) {
  Table table{letters(comparison, "printed last (best)"), {}};
  table.header.emplace_back("");
  for (const auto& result : comparison.results) {
    std::vector<std::string> row{printable(result.name)};
    for (std::size_t i = 0; i < result.last.size(); ++i) {
      std::string cell = result.last[i] ? rate(*result.last[i]) : std::string{kUnknownText};
      if (result.last[i] && result.best[i]) cell += " (" + rate(*result.best[i]) + ")";
      row.push_back(std::move(cell));
    }
    row.push_back(words_of(result.better));
    table.rows.push_back(std::move(row));
  }
  return {"Results",
          {std::move(table), Paragraph{"As the runs printed them; runs of different lengths are not equally far along."}}};
}

Document document_of(const Comparison& comparison) {
  Document document{"Comparison of " + std::to_string(comparison.names.size()) + " recordings", {}};
  Section first{"Verdict", {Paragraph{comparison.verdict, true}}};
  if (comparison.simulated) first.elements.push_back(Paragraph{"SIMULATED: these GPUs do not exist.", true});
  first.elements.push_back(Items{comparison.names});
  document.sections.push_back(std::move(first));
  document.sections.push_back(
      {"Before and after",
       {metrics_table(comparison), Paragraph{"Means of the steady phase (after the warm-up and the last change) with "
                                             "95 % intervals, by blocks of time."}}});
  if (!comparison.results.empty()) document.sections.push_back(results(comparison));
  document.sections.push_back(configuration(comparison));
  if (!comparison.notes.empty()) document.sections.push_back({"Notes", {Items{comparison.notes}}});
  if (!comparison.plots.empty() || !comparison.batch_plots.empty()) {
    Section plots{"Plots", {}, true};
    for (const auto& plot : comparison.batch_plots) plots.elements.push_back(plot);
    for (const auto& plot : comparison.plots) plots.elements.push_back(plot);
    document.sections.push_back(std::move(plots));
  }
  return document;
}

}  // namespace

std::string comparison_markdown(const Comparison& comparison) {
  return to_markdown(document_of(comparison));
}
std::string comparison_html(const Comparison& comparison) {
  return to_html(document_of(comparison));
}

std::string comparison_json(const Comparison& comparison) {
  Json recordings = Json::array();
  for (std::size_t i = 0; i < comparison.names.size(); ++i) {
    recordings.push_back(
        {{"name", printable(comparison.names[i])}, {"steady_seconds", rounded(to_seconds(comparison.steady[i]))}});
  }
  Json metrics = Json::array();
  for (const auto& metric : comparison.metrics) {
    Json means = Json::array();
    Json changes = Json::array();
    for (const auto& mean : metric.means) means.push_back(estimated_json(mean));
    for (const auto& change : metric.differences) {
      if (!change) {
        changes.push_back(nullptr);
        continue;
      }
      const auto certain = change->certain();
      changes.push_back({{"absolute", estimated_json(change->absolute)},
                         {"percent", change->relative ? percent_json(*change->relative) : Json(nullptr)},
                         {"certain", certain ? Json(*certain) : Json(nullptr)}});
    }
    metrics.push_back({{"name", metric.name}, {"unit", metric.unit}, {"means", means}, {"against_first", changes}});
  }
  Json settings = Json::array();
  for (const auto& setting : comparison.settings) {
    Json values = Json::array();
    for (const auto& value : setting.values) values.push_back(text_json(value));
    settings.push_back({{"name", setting.name}, {"values", values}});
  }
  Json results = Json::array();
  for (const auto& result : comparison.results) {
    Json last = Json::array();
    Json best = Json::array();
    for (const auto& value : result.last) last.push_back(value ? Json(rounded_rate(*value)) : Json(nullptr));
    for (const auto& value : result.best) best.push_back(value ? Json(rounded_rate(*value)) : Json(nullptr));
    const auto better = result.better > 0 ? Json("higher") : result.better < 0 ? Json("lower") : Json(nullptr);
    results.push_back({{"name", printable(result.name)}, {"better", better}, {"last", last}, {"best", best}});
  }
  return dumped({{"schema", "gputop.comparison/1"},
                 {"verdict", comparison.verdict},
                 {"simulated", comparison.simulated},
                 {"recordings", recordings},
                 {"metrics", metrics},
                 {"results", results},
                 {"configuration", settings},
                 {"notes", comparison.notes}});
}

}  // namespace gputop
