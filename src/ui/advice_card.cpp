#include "ui/advice_card.hpp"

#include <algorithm>

#include "gputop/advisor/power_curve.hpp"
#include "gputop/core/characters.hpp"
#include "gputop/core/format.hpp"
#include "ui/brush.hpp"
#include "ui/text.hpp"
#include "ui/trend.hpp"

namespace gputop::ui {
namespace {

constexpr int kSpark = 12;

// The run was started again with another setting, and what that brought is not known yet.
bool measures_a_change(const Model& model) {
  return !model.changes.marks.empty() && model.changes.marks.back().what.stage == ChangeReported::Stage::kRelaunched;
}

std::string waited_for(const Model& model) {
  const auto& limits = model.advice.advisor.settings().thresholds;
  const auto left_until = [&](double due) {
    const double left = due - to_seconds(model.advice.facts.age);
    return left >= 1 ? ": first advice in about " + format_number(left, 0) + " s" : std::string{};
  };
  if (!model.run) return "Watching the GPUs" + left_until(limits.warm_up + limits.hold);
  if (model.run->end) return "The run is over: it was too short for advice";
  if (!model.advice.facts.steady && model.run->log.progress().advances == 0) {
    return "Watching: the first advice comes about " + format_number(limits.warm_up + limits.hold, 0) +
           " s after the first steps";
  }
  const std::string what = measures_a_change(model) ? "Measuring the change" : "Watching the first steps";
  return what + left_until(limits.warm_up + limits.hold);
}

// What a restart throws away: the time since the last checkpoint, else since the start. A power limit needs none.
std::string cost_in_words(const Model& model, const std::vector<Change>& changes) {
  const auto is_power = [](const Change& change) { return change.knob == kPowerLimit; };
  if (!model.run || model.run->end || std::all_of(changes.begin(), changes.end(), is_power)) return {};
  const auto saved = model.run->log.checkpoint();
  const auto lost = to_seconds(model.now - saved.value_or(model.run->since));
  const auto time = lost < 90 ? format_number(lost, 0) + " s" : format_number(lost / 60, 0) + " min";
  return "a restart; " + time + " of work is lost" + (saved ? " (since the last checkpoint)" : " (no checkpoint seen)");
}

std::string times_as_fast(const Speedup& speedup) {
  const auto text = speedup_in_words(speedup).substr(std::string_view{"×"}.size());
  return text + " times as fast";
}

// How the figure was come by is for the page behind `w`.
std::string without_aside(const std::string& text) {
  const auto aside = text.rfind(" (");
  return text.ends_with(')') && aside != std::string::npos ? text.substr(0, aside) : text;
}

// The GPU that a finding names first, in its title or its sentence; the only one where there is one.
const GpuTrack* gpu_of(const Model& model, const Finding& finding) {
  if (model.gpus.size() == 1) return &model.gpus.front();
  const auto text = finding.title + "; " + finding.why;
  const GpuTrack* named = nullptr;
  auto first = std::string::npos;
  for (const auto& track : model.gpus) {
    const auto name = "GPU " + std::to_string(track.now.index);
    auto at = text.find(name);
    while (at != std::string::npos && at + name.size() < text.size() && is_digit(text[at + name.size()])) {
      at = text.find(name, at + 1);  // GPU 1 is not GPU 12
    }
    if (at < first) {
      first = at;
      named = &track;
    }
  }
  return named;
}

// The series a finding is about, of that GPU.
const TieredSeries* series_of(const Model& model, const Finding& finding) {
  const auto* track = gpu_of(model, finding);
  if (track == nullptr || finding.evidence.empty()) return nullptr;
  const auto& metric = finding.evidence.front().metric;
  if (metric.find("memory") != std::string::npos || metric == "requested") return &track->series.memory;
  if (metric == "temperature" || metric == "thermal") return &track->series.temperature;
  if (metric.find("power") != std::string::npos) return &track->series.power;
  return &track->series.utilization;
}

// Mean speed over the half minute before this moment, of the launch that ran then.
Reading<double> speed_before(const Model& model, Instant at) {
  if (!model.run) return std::nullopt;
  constexpr Duration kHalfMinute = std::chrono::seconds{30};
  constexpr Duration kStart = std::chrono::seconds{6};  // its first steps are slower
  constexpr Duration kLeast = std::chrono::seconds{4};
  auto from = at - kHalfMinute;
  for (const auto& mark : model.changes.marks) {
    if (mark.at < at && mark.what.stage == ChangeReported::Stage::kRelaunched) from = std::max(from, mark.at + kStart);
  }
  const auto columns = model.run->throughput.columns(std::min(from, at - kLeast), at, 1);
  return !columns.empty() && columns.front() ? Reading<double>{columns.front()->mean()} : std::nullopt;
}

}  // namespace

Role finding_role(const Finding& finding) {
  if (finding.id == "healthy") return Role::kGood;
  switch (finding.severity) {
    case Severity::kError: return Role::kBad;
    case Severity::kWarning: return Role::kWarning;
    case Severity::kInfo: break;
  }
  return Role::kAccent;
}

Role stage_role(ChangeReported::Stage stage) {
  using Stage = ChangeReported::Stage;
  if (stage == Stage::kKept) return Role::kGood;
  return stage == Stage::kWorse || stage == Stage::kFailed || stage == Stage::kOffered ? Role::kBad : Role::kAccent;
}

std::string verdict_of(const Model& model) {
  const auto& advice = model.advice.now();
  const auto& findings = advice.findings;
  if (!findings.empty() && findings.front().id == "healthy") return findings.front().why;
  if (!findings.empty() && findings.front().severity == Severity::kError) return findings.front().title;
  if (advice.warming_up) return waited_for(model);
  return advice.diagnosis.verdict;
}

std::string headline(const Finding& finding) {
  if (finding.changes.empty()) return finding.title;
  return finding.title + ": " + changes_in_words({finding.changes.front()});
}

std::vector<std::pair<std::string, std::string>> card_lines(const Model& model, const Finding& finding) {
  std::vector<std::pair<std::string, std::string>> lines;
  const bool faster = finding.speedup && finding.speedup->high > 1.005;
  if (faster) {
    lines.emplace_back("expect", times_as_fast(*finding.speedup) + " (confidence " +
                                     format_number(finding.confidence * 100, 0) + " %)");
  }
  if (const auto outlook = outlook_in_words(finding); faster && !outlook.empty()) lines.emplace_back("brings", outlook);
  if (!finding.fits.empty()) lines.emplace_back("fits", "needs " + without_aside(finding.fits));
  if (finding.changes.size() > 1) {
    lines.emplace_back("with it", changes_in_words({finding.changes.begin() + 1, finding.changes.end()}));
  }
  if (const auto risk = to_string(finding.risk); !risk.empty()) lines.emplace_back("risk", risk);
  if (const auto cost = cost_in_words(model, finding.changes); !cost.empty()) lines.emplace_back("cost", cost);
  for (const auto& veto : finding.vetoes) lines.emplace_back("not", veto.knob + ": " + veto.reason);
  if (finding.changes.empty()) {
    if (!finding.action.empty()) lines.emplace_back("", finding.action);
  }
  if (!finding.why.empty()) lines.emplace_back("", finding.why);
  if (!finding.then.empty()) lines.emplace_back("next", finding.then);
  return lines;
}

ftxui::Elements advice_card(const Model& model, const Look& look, const Finding& finding, int number, bool selected,
                            CardSize size) {
  constexpr int kLabel = 9;
  const int width = look.width - 2;
  ftxui::Elements rows;
  const auto* series = series_of(model, finding);
  auto head = look.line({{selected ? " ▶ " : " ▷ ", finding_role(finding)},
                         {std::to_string(number) + "  ", Role::kMuted},
                         {headline(finding), finding_role(finding)}});
  if (selected && look.focused) head = look.selected(head);
  const bool fits = columns_of(headline(finding)) + kSpark + 10 <= width;
  if (series != nullptr && !series->empty() && fits) {
    head = ftxui::hbox({head | ftxui::flex, ftxui::text(" "), trend(look, *series, model.now, kSpark, finding_role(finding)), ftxui::text(" ")});
  }
  rows.push_back(std::move(head));
  if (size != CardSize::kWhole && !selected) return rows;
  const std::string indent(6, ' ');
  for (const auto& [label, text] : card_lines(model, finding)) {
    if (!selected && (!label.empty() || rows.size() > 1)) continue;
    const bool can_wait = (label.empty() && !finding.changes.empty()) || label == "next" || label == "brings";
    if (size == CardSize::kShort && can_wait) continue;  // the page behind `w` has it
    const auto padded = label.empty() ? std::string{} : label + std::string(kLabel - label.size(), ' ');
    bool first = true;
    auto parts = wrapped(text, std::max(12, width - 7 - static_cast<int>(padded.size())));
    if (!selected && parts.size() > 1) parts.front() += "…";
    for (const auto& part : parts) {
      rows.push_back(look.line({{indent + (first ? padded : std::string(padded.size(), ' ')), Role::kMuted},
                                {part, label == "expect" ? Role::kGood : label.empty() ? Role::kMuted : Role::kText}}));
      first = false;
      if (!selected) break;
    }
  }
  if (!selected) return rows;
  Spans keys{{indent}};
  const auto key = [&](const char* name, const char* does) {
    keys.push_back({name, Role::kKey});
    keys.push_back({std::string{" "} + does + "   ", Role::kKeyLabel});
  };
  if (!finding.changes.empty() && look.run_is_live(model)) {
    if (!look.identity.readonly) key("a", "apply");
    key("d", "show the change");
  }
  key("w", "why");
  key("x", "hide");
  rows.push_back(look.line(std::move(keys)));
  return rows;
}

std::string tried_in_words(const Model& model, const ChangeTrack::Mark& mark) {
  using Stage = ChangeReported::Stage;
  const auto& what = mark.what;
  const bool measured = what.stage == Stage::kKept || what.stage == Stage::kSame || what.stage == Stage::kWorse;
  if (!measured || what.changes.empty()) return printable(what.text);
  std::vector<Change> changes;
  for (const auto& change : what.changes) changes.push_back({change.knob, change.from, change.to});
  auto text = printable(changes_in_words(changes));
  Reading<double> before;
  for (const auto& earlier : model.changes.marks) {
    if (earlier.at < mark.at && earlier.what.stage == Stage::kWritten) before = speed_before(model, earlier.at);
  }
  if (before && what.gain && model.run) {  // as it was measured: the last half minute has the restart in it
    text += "   " + format_number(*before, 0) + " → " +
            format_throughput(*before * (1 + *what.gain), model.run->throughput_unit);
  }
  if (what.gain) {
    text += "   " + format_number(1 + *what.gain, 1) + "× as fast (" + (*what.gain >= 0 ? "+" : "−") +
            format_number(std::abs(*what.gain) * 100, 0) + " %" +
            (what.uncertainty ? " ± " + format_number(*what.uncertainty * 100, 0) + " %)" : ")");
  }
  return text + (what.stage == Stage::kKept ? "   kept" : what.stage == Stage::kSame ? "   no difference" : "   slower");
}

// One line a change: how it came there is not news once it is known what became of it.
std::vector<ChangeTrack::Mark> last_words(const std::vector<ChangeTrack::Mark>& all) {
  using Stage = ChangeReported::Stage;
  std::vector<ChangeTrack::Mark> marks;
  for (const auto& mark : all) {
    const auto under_way = [](Stage stage) {
      return stage == Stage::kWaiting || stage == Stage::kWritten || stage == Stage::kRelaunched || stage == Stage::kLive;
    };
    if (!marks.empty() && under_way(marks.back().what.stage) && marks.back().what.changes == mark.what.changes) {
      marks.pop_back();
    }
    marks.push_back(mark);
  }
  return marks;
}

ftxui::Elements tried_rows(const Model& model, const Look& look, int most) {
  const auto marks = last_words(model.changes.marks);
  if (marks.empty()) return {};
  ftxui::Elements rows;
  if (most > 1) rows.push_back(look.say(" what was tried", Role::kTitle));
  const auto first = marks.size() > static_cast<std::size_t>(most) ? marks.size() - static_cast<std::size_t>(most) : 0;
  for (auto i = first; i < marks.size(); ++i) {
    const bool last = i + 1 == marks.size();
    const auto text = tried_in_words(model, marks[i]) + (last && model.changes.can_undo() ? "   u undo" : "");
    for (auto& row : paragraph(look.styles, text, look.width - 2, stage_role(marks[i].what.stage), 2, " ● ", "   ")) {
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

Role sign_role(Sign::Kind kind) {
  return kind == Sign::Kind::kGood ? Role::kGood : kind == Sign::Kind::kBad ? Role::kBad : Role::kMuted;
}

ftxui::Elements sign_rows(const Model& model, const Look& look, int most) {
  if (!model.run && model.gpus.size() > 1) return {};  // of which GPU? The table has each of them
  std::vector<Spans> lines;
  std::vector<int> used;
  for (const auto kind : {Sign::Kind::kBad, Sign::Kind::kFair, Sign::Kind::kGood}) {
    for (const auto& sign : model.advice.now().signs) {
      if (sign.kind != kind) continue;
      const auto text = joined({mark_of(kind), " ", sign.text, "  "});
      const int wide = columns_of(text);
      // Into the first line that has room for it.
      auto at = std::find_if(used.begin(), used.end(), [&](int taken) { return taken + wide <= look.width - 1; });
      if (at == used.end()) {
        if (static_cast<int>(lines.size()) >= most) continue;
        lines.push_back({{" "}});
        used.push_back(1);
        at = used.end() - 1;
      }
      *at += wide;
      lines[static_cast<std::size_t>(at - used.begin())].push_back({text, sign_role(kind)});
    }
  }
  ftxui::Elements rows;
  for (auto& line : lines) rows.push_back(look.line(std::move(line)));
  return rows;
}

}  // namespace gputop::ui
