#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/report/job.hpp"
#include "report/json_values.hpp"

namespace gputop {
namespace {

// What slows the whole job down.
std::vector<std::string> whole_in_words(const JobFindings& found) {
  const auto& explained = found.whole.explained;
  std::vector<std::string> lines;
  if (explained.hung) lines.push_back(job::as_sentence(to_words(*explained.hung)) + ".");
  if (explained.straggler) lines.push_back(job::as_sentence(to_words(*explained.straggler)) + ".");
  if (explained.imbalance) lines.push_back(job::as_sentence(to_words(*explained.imbalance)) + ".");
  if (explained.communication_ms && explained.communication_share) {
    const bool much = *explained.communication_share >= job::kMuchCommunication;
    const std::string share = format_number(100 * *explained.communication_share, 0) + " %";
    lines.push_back("When all ranks are ready, the exchange takes " + format_number(*explained.communication_ms, 1) + " ms, " +
                    share + " of a step" + (much ? ": the job is communication-bound." : "."));
  } else if (explained.communication_by_gpu) {
    lines.push_back("All GPUs are busy at low power and nobody waits for data: they wait for each other's exchange.");
  } else if (lines.empty()) {
    lines.push_back(explained.ranks < 2 ? "What the ranks wait for is not known: fewer than two have reported an exchange."
                                        : "Too few steps are common to the ranks to compare them.");
  }
  return lines;
}

std::string share(const Reading<double>& value) {
  return value ? format_number(100 * *value, 0) + " %" : std::string{kUnknownText};
}

std::string number(const Reading<double>& value, int decimals) {
  return value ? format_number(*value, decimals) : std::string{kUnknownText};
}

std::vector<std::vector<std::string>> table(const JobFindings& found) {
  std::vector<std::vector<std::string>> rows{{"rank", "node", "state", "step", "steps/s", "input", "host", "compute", "waiting", "GPU"}};
  for (const auto& line : found.whole.lines) {
    rows.push_back({line.number ? std::to_string(*line.number) : std::string{kUnknownText}, printable(line.node),
                    std::string{to_string(line.state)}, line.step ? std::to_string(*line.step) : std::string{kUnknownText},
                    number(line.steps_per_second, 2), share(line.input), share(line.host), share(line.compute), share(line.waiting),
                    line.gpu_busy ? format_number(*line.gpu_busy, 0) + " %" : std::string{kUnknownText}});
  }
  return rows;
}

std::string heading(const JobFindings& found) {
  std::vector<std::string> nodes;
  for (const auto& line : found.whole.lines) nodes.push_back(line.node);
  std::sort(nodes.begin(), nodes.end());
  const auto distinct = std::unique(nodes.begin(), nodes.end()) - nodes.begin();
  const auto ranks = found.whole.lines.size();
  return "Job " + printable(found.id) + (found.launcher.empty() ? "" : " (" + printable(found.launcher) + ")") + ": " +
         std::to_string(ranks) + (ranks == 1 ? " rank on " : " ranks on ") + std::to_string(distinct) +
         (distinct == 1 ? " node" : " nodes");
}

std::string changes_of(const Finding& finding) {
  std::string text;
  for (const auto& change : finding.changes)
    text += (text.empty() ? "" : ", ") + change.knob + " " + (change.from.empty() ? "" : change.from + " → ") + change.to;
  return text;
}

}  // namespace

void JobFindings::add(const Advice& advice, const std::vector<unsigned>& ranks) {
  for (const auto& finding : advice.findings) {
    // What one recording says about its own ranks is said about the whole job above, with more data.
    if (finding.title == "This rank waits for the others" || finding.id == "healthy" || finding.id == "rank_straggler" || finding.id == "rank_hung" || finding.id == "communication_bound") continue;
    const auto same = std::find_if(findings.begin(), findings.end(), [&](const Shared& shared) {
      return shared.finding.id == finding.id && shared.finding.changes == finding.changes;
    });
    auto& shared = same == findings.end() ? findings.emplace_back(Shared{finding, {}}) : *same;
    shared.ranks.insert(shared.ranks.end(), ranks.begin(), ranks.end());
  }
}

std::string ranks_in_words(const std::vector<unsigned>& ranks, std::size_t all) {
  auto sorted = ranks;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  if (sorted.size() == all && all > 1) return "all " + std::to_string(all) + " ranks";
  std::string text;
  for (std::size_t i = 0; i < sorted.size();) {
    auto end = i;
    while (end + 1 < sorted.size() && sorted[end + 1] == sorted[end] + 1) ++end;
    text += (text.empty() ? "" : ", ") + std::to_string(sorted[i]);
    if (end > i) text += "–" + std::to_string(sorted[end]);
    i = end + 1;
  }
  return (sorted.size() == 1 ? "rank " : "ranks ") + text;
}

std::string job_text(const JobFindings& found) {
  std::string text = heading(found) + "\n";
  for (const auto& line : whole_in_words(found)) text += "  " + line + "\n";
  const auto all = found.whole.lines.size();
  for (const auto& shared : found.findings) {
    text += "\n" + printable(shared.finding.title) + " (" + ranks_in_words(shared.ranks, all) + ")\n  " + printable(shared.finding.why) + "\n";
    if (const auto changes = changes_of(shared.finding); !changes.empty())
      text += "  Change on all " + std::to_string(all) + " ranks, which share their settings: " + printable(changes) + "\n";
    if (!shared.finding.action.empty()) text += "  " + job::as_sentence(printable(shared.finding.action)) + "\n";
  }
  return text;
}

std::string job_markdown(const JobFindings& found) {
  std::string text = "# " + heading(found) + "\n\n";
  for (const auto& line : whole_in_words(found)) text += "- " + line + "\n";
  text += "\n";
  const auto rows = table(found);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += "|";
    for (const auto& cell : rows[i]) text += " " + cell + " |";
    text += "\n";
    if (i > 0) continue;
    text += "|";
    for (std::size_t column = 0; column < rows[i].size(); ++column) text += column < 3 ? "---|" : "---:|";
    text += "\n";
  }
  const auto all = found.whole.lines.size();
  if (!found.findings.empty()) text += "\n## What to change\n\n";
  for (const auto& shared : found.findings) {
    text += "- **" + printable(shared.finding.title) + "** (" + ranks_in_words(shared.ranks, all) + "): " + printable(shared.finding.why);
    if (const auto changes = changes_of(shared.finding); !changes.empty()) text += " Change on all " + std::to_string(all) + " ranks: " + printable(changes) + ".";
    text += "\n";
  }
  for (const auto& note : found.notes) text += "\nNote: " + printable(note) + "\n";
  return text;
}

std::string job_json(const JobFindings& found) {
  using report::Json;
  const auto value = [](const Reading<double>& reading) { return reading ? Json(*reading) : Json(nullptr); };
  const auto& explained = found.whole.explained;
  Json ranks = Json::array();
  for (const auto& line : found.whole.lines) {
    ranks.push_back({{"rank", line.number ? Json(*line.number) : Json(nullptr)},
                     {"node", report::text_json(line.node)},
                     {"state", to_string(line.state)},
                     {"step", line.step ? Json(*line.step) : Json(nullptr)},
                     {"steps_per_second", value(line.steps_per_second)},
                     {"input_share", value(line.input)},
                     {"host_share", value(line.host)},
                     {"compute_share", value(line.compute)},
                     {"waiting_share", value(line.waiting)},
                     {"gpu_percent", value(line.gpu_busy)},
                     {"memory_used_bytes", line.memory_used ? Json(line.memory_used->value()) : Json(nullptr)},
                     {"power_watts", value(line.power)},
                     {"said", report::text_json(line.said)}});
  }
  Json straggler = nullptr;
  if (const auto& one = explained.straggler)
    straggler = {{"rank", one->rank}, {"node", report::text_json(one->node)}, {"whole_node", one->whole_node},
                 {"held_ms", one->held_ms}, {"step_ms", one->step_ms}, {"last_share", one->last_share},
                 {"cause", to_string(one->cause)}, {"text", to_words(*one)}};
  Json hung = nullptr;
  if (const auto& one = explained.hung)
    hung = {{"rank", one->rank}, {"node", report::text_json(one->node)}, {"seconds", one->seconds}, {"step", one->step}, {"text", to_words(*one)}};
  Json findings = Json::array();
  for (const auto& shared : found.findings) {
    Json changes = Json::array();
    for (const auto& change : shared.finding.changes)
      changes.push_back({{"knob", change.knob}, {"from", report::text_json(change.from)}, {"to", change.to}});
    findings.push_back({{"id", shared.finding.id}, {"title", printable(shared.finding.title)}, {"why", printable(shared.finding.why)},
                        {"ranks", shared.ranks}, {"changes", changes}});
  }
  return report::dumped({{"schema", "gputop.job/1"},
                         {"id", report::text_json(found.id)},
                         {"launcher", report::text_json(found.launcher)},
                         {"ranks", ranks},
                         {"common_steps", explained.steps},
                         {"straggler", straggler},
                         {"hung", hung},
                         {"imbalance", explained.imbalance ? Json(to_words(*explained.imbalance)) : Json(nullptr)},
                         {"communication_ms", value(explained.communication_ms)},
                         {"communication_share", value(explained.communication_share)},
                         {"summary", whole_in_words(found)},
                         {"findings", findings}});
}

}  // namespace gputop
