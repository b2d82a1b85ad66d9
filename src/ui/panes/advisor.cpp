// advisor — the verdict, where the time goes, and what to change, best first.
#include <algorithm>
#include <functional>

#include "gputop/core/format.hpp"
#include "ui/advice_selection.hpp"
#include "ui/draw.hpp"
#include "ui/pane.hpp"
#include "ui/sign_line.hpp"
#include "ui/step_bar.hpp"
#include "ui/text.hpp"

namespace gputop::ui::panes {
namespace {

constexpr int kSpark = 12;
constexpr int kRoomForSigns = 14;  // lines of the pane
constexpr int kLinesPerSigns = 7;  // of the pane, for each line of signs
constexpr Duration kSparkSpan = std::chrono::minutes{2};
constexpr Duration kNews = std::chrono::seconds{30};  // what became of a change comes before anything else

Role role_of(Severity severity) {
  switch (severity) {
    case Severity::kError: return Role::kBad;
    case Severity::kWarning: return Role::kWarning;
    case Severity::kInfo: break;
  }
  return Role::kAccent;
}

Role role_of(const Finding& finding) {
  return finding.id == "healthy" ? Role::kGood : role_of(finding.severity);
}

Role role_of(ChangeReported::Stage stage) {
  using Stage = ChangeReported::Stage;
  if (stage == Stage::kKept) return Role::kGood;
  return stage == Stage::kWorse || stage == Stage::kFailed || stage == Stage::kOffered ? Role::kBad : Role::kAccent;
}

// The series a finding is about, of the first GPU that has one.
const TieredSeries* series_of(const Model& model, const Finding& finding) {
  if (model.gpus.empty() || finding.evidence.empty()) return nullptr;
  const auto& series = model.gpus.front().series;
  const auto& metric = finding.evidence.front().metric;
  if (metric.find("memory") != std::string::npos || metric == "requested") return &series.memory;
  if (metric == "temperature" || metric == "thermal") return &series.temperature;
  if (metric.find("power") != std::string::npos) return &series.power;
  return &series.utilization;
}

void sparkline(Painter& painter, int x, int y, const TieredSeries& series, Instant now, Role role) {
  const Instant from = now - kSparkSpan;
  const auto columns = series.columns(from, now + std::chrono::seconds{1}, kSpark);
  float most = 0;
  for (const auto& column : columns) most = std::max(most, column ? column->mean() : 0);
  for (int i = 0; i < kSpark; ++i) {
    const auto& column = columns[static_cast<std::size_t>(i)];
    if (column) painter.put(x + i, y, gauge(most > 0 ? column->mean() / most : 0), role);
  }
}

// The run was started again with another setting, and what that brought is not known yet.
bool measures_a_change(const Model& model) {
  return !model.changes.marks.empty() && model.changes.marks.back().what.stage == ChangeReported::Stage::kRelaunched;
}

std::string verdict_of(const Model& model) {
  const auto& advice = model.advice.now();
  const auto& findings = advice.findings;
  if (!findings.empty() && findings.front().id == "healthy") return findings.front().why;
  if (!findings.empty() && findings.front().severity == Severity::kError) return findings.front().title;
  if (advice.warming_up && measures_a_change(model)) return "Measuring the change: too early to say";
  if (advice.warming_up) return "Watching: too early to say";
  return advice.diagnosis.verdict;
}

Role verdict_role(const Model& model) {
  const auto& advice = model.advice.now();
  if (!advice.findings.empty()) return role_of(advice.findings.front());
  return advice.warming_up ? Role::kMuted : Role::kText;
}

// "workers 2 → 6  ×1.5–1.7", or what to do where no knob does it.
std::string remedy(const Finding& finding) {
  const auto changes = changes_in_words(finding.changes);
  const auto gain =
      finding.speedup && finding.speedup->high > 1.005 ? speedup_in_words(finding.speedup) : std::string{};
  if (!changes.empty()) return changes + (gain.empty() ? "" : "  " + gain);
  if (!finding.vetoes.empty()) return finding.vetoes.front().reason;
  return finding.action;
}

// The verdict over as many lines as the pane can spare; how many it took.
int paint_verdict(Painter& painter, const std::string& verdict, Role role, std::size_t most) {
  const auto lines = wrapped(verdict, std::max(1, painter.width()));
  const auto count = std::min(most, lines.size());
  for (std::size_t i = 0; i < count; ++i) {
    const bool cut = i + 1 == count && count < lines.size();
    painter.text(0, static_cast<int>(i), cut ? joined({lines[i], " …"}) : lines[i], role, painter.width());
  }
  return static_cast<int>(count);
}

// One or two lines are all there is.
void paint_strip(PaneContext& context, Painter& painter, const std::vector<const Finding*>& shown) {
  const auto& model = context.model;
  const int width = painter.width();
  const auto& marks = model.changes.marks;
  if (painter.height() > 1 && !marks.empty() && model.now - marks.back().at < kNews) {
    const auto& last = marks.back().what;
    painter.text(0, 0, joined({"● ", printable(last.text)}), role_of(last.stage), width);
    const bool advised = !shown.empty() && !shown.front()->changes.empty();
    if (advised) painter.text(0, 1, joined({"▶ ", remedy(*shown.front())}), Role::kAccent, width);
    if (!advised) step_words(painter, 2, 1, width - 2, model.advice.now().diagnosis);
    return;
  }
  if (shown.empty() || shown.front()->id == "healthy") {
    const auto verdict = joined({shown.empty() ? "" : "✓ ", verdict_of(model)});
    const int taken =
        paint_verdict(painter, verdict, verdict_role(model), static_cast<std::size_t>(std::max(1, painter.height())));
    if (painter.height() > taken) step_words(painter, 2, 1, width - 2, model.advice.now().diagnosis);
    return;
  }
  const auto& finding = *shown.front();
  const auto what = remedy(finding);
  if (painter.height() == 1) {
    // The change is what matters; the reason gets what is left.
    int x = painter.text(0, 0, "▶ ", role_of(finding));
    if (finding.changes.empty()) {
      painter.text(x, 0, finding.title, role_of(finding), width - x);
      return;
    }
    x += painter.text(x, 0, what, Role::kAccent, width - x);
    if (x + 12 < width) painter.text(x + 2, 0, finding.title, Role::kMuted, width - x - 2);
    return;
  }
  std::string reason = finding.severity == Severity::kError ? "" : joined({" (", verdict_of(model), ")"});
  const int room = width - columns_of(finding.title) - 2;
  if (!reason.empty() && columns_of(reason) > room) {  // the figure alone, rather than half of a sentence
    const auto& diagnosis = model.advice.now().diagnosis;
    reason = joined({" (", in_words(diagnosis.bottleneck), " ",
                     format_number(diagnosis.share(diagnosis.bottleneck) * 100, 0), " %)"});
  }
  painter.text(0, 0, joined({"▶ ", finding.title, reason}), role_of(finding), width);
  painter.text(2, 1, what, finding.changes.empty() ? Role::kText : Role::kAccent, width - 2);
}

using Line = std::function<void(Painter&, int y)>;

Line text_line(std::string text, Role role, int x = 2) {
  return [text = std::move(text), role, x](Painter& painter, int y) {
    painter.text(x, y, text, role, painter.width() - x);
  };
}

// A card's lines; the selected one says more.
std::vector<Line> card(const PaneContext& context, const Finding& finding, bool selected, bool roomy, int width) {
  std::vector<Line> lines;
  const auto* series = series_of(context.model, finding);
  const Instant now = context.model.now;
  lines.push_back([&finding, series, now, selected](Painter& painter, int y) {
    const bool spark = series != nullptr && !series->empty() && painter.width() >= 40;
    const int room = painter.width() - (spark ? kSpark + 2 : 0);
    painter.text(0, y,
                 joined({finding.id == "healthy" ? "✓ "
                         : selected              ? "▶ "
                                                 : "▷ ",
                         finding.title}),
                 role_of(finding), room);
    if (spark) sparkline(painter, painter.width() - kSpark - 1, y, *series, now, Role::kUtilization);
  });
  const auto what = remedy(finding);
  const auto role = finding.changes.empty() ? Role::kText : Role::kAccent;
  const auto add_wrapped = [&](const std::string& text, Role its_role, std::size_t most) {
    auto parts = wrapped(text, std::max(10, width - 3));
    for (std::size_t i = 0; i < std::min(most, parts.size()); ++i) {
      lines.push_back(text_line(i + 1 == most && parts.size() > most ? parts[i] + " …" : parts[i], its_role));
    }
  };
  if (!what.empty()) add_wrapped(what, role, selected ? 3 : 1);
  if (const auto outlook = outlook_in_words(finding); selected && !outlook.empty())
    add_wrapped("brings: " + outlook, role, 2);
  if (selected || roomy) add_wrapped(finding.why, Role::kMuted, selected ? 6 : 2);
  if (selected && !finding.then.empty()) add_wrapped("next: " + finding.then, Role::kMuted, 2);
  if (const auto risk = to_string(finding.risk); selected && !risk.empty())
    add_wrapped("risk: " + risk, Role::kMuted, 2);
  return lines;
}

}  // namespace

void advisor(PaneContext& context, Painter painter) {
  const auto& model = context.model;
  const auto shown = shown_advice(model, context.view);
  const auto hidden = model.advice.now().findings.size() - shown.size();
  if (hidden > 0) context.title = joined({"Advisor, ", std::to_string(hidden), " hidden"});
  auto& list = context.view.advice;
  list.cursor = std::clamp(list.cursor, 0, std::max(0, static_cast<int>(shown.size()) - 1));
  if (painter.height() <= 2) {
    paint_strip(context, painter, shown);
    return;
  }
  const int width = painter.width();
  const auto& diagnosis = model.advice.now().diagnosis;
  int y = paint_verdict(painter, verdict_of(model), verdict_role(model),
                        painter.height() >= 8   ? 3
                        : painter.height() >= 5 ? 2
                                                : 1);
  if (painter.height() >= 5) {
    step_bar(painter, 0, y, width - 1, diagnosis);
    ++y;
  }
  step_words(painter, 0, y, width, diagnosis);
  ++y;
  if (painter.height() >= kRoomForSigns)
    y += sign_lines(painter, 0, y, width, painter.height() / kLinesPerSigns, model.advice.now().signs);
  if (!model.changes.marks.empty() && y < painter.height()) {
    const auto& last = model.changes.marks.back().what;
    const auto lines = wrapped(printable(last.text), std::max(10, width - 2));
    for (std::size_t i = 0; i < std::min<std::size_t>(2, lines.size()) && y < painter.height(); ++i) {
      painter.text(0, y++, joined({i == 0 ? "● " : "  ", lines[i]}), role_of(last.stage), width);
    }
  }
  if (painter.height() >= 8) ++y;
  const bool roomy = painter.height() >= 30;
  // The selected card is on the screen whole, whatever comes before it.
  for (int i = std::max(0, list.cursor - (roomy ? 2 : 1)); i < static_cast<int>(shown.size()) && y < painter.height();
       ++i) {
    const auto& finding = *shown[static_cast<std::size_t>(i)];
    if (finding.id == "healthy") continue;  // the verdict says it
    const bool selected = i == list.cursor;
    const int first = y;
    for (const auto& line : card(context, finding, selected, roomy, width)) {
      if (y < painter.height()) line(painter, y++);
    }
    context.hit(painter, {0, first, width, y - first}, Hit::Kind::kRow, i);
    if (context.focused && selected) painter.select(first);
    if (painter.height() >= 12) ++y;
  }
  for (const auto& option : model.advice.now().options) {
    const auto lines = wrapped(option.text, std::max(10, width - 2));
    if (y + static_cast<int>(lines.size()) > painter.height()) break;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      painter.text(0, y++, joined({i == 0 ? "◇ " : "  ", lines[i]}), Role::kMuted, width);
    }
  }
}

}  // namespace gputop::ui::panes
