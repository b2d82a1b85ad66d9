// An estimate as a page: the answer, memory over time, what holds it, and the text that the terminal shows.
#include "gputop/core/format.hpp"
#include "gputop/report/estimate.hpp"
#include "report/document.hpp"
#include "report/memory_plot.hpp"

namespace gputop {
namespace {

Tone tone_of(FitVerdict verdict) {
  switch (verdict) {
    case FitVerdict::kFits: return Tone::kGood;
    case FitVerdict::kDoesNotFit: return Tone::kError;
    case FitVerdict::kNotSure: return Tone::kWarning;
    case FitVerdict::kUnknown: return Tone::kPlain;
  }
  return Tone::kPlain;
}

Section over_time(const RehearsalAnswer& answer) {
  const auto& memory = answer.memory;
  Section section{.title = "Memory over time"};
  section.elements.emplace_back(Paragraph{.text = "Peak in the " + std::string{to_string(memory.peak.phase)} + " of step " +
                                                  std::to_string(memory.peak.step + 1) + ": " + format_bytes(memory.peak_allocated) +
                                                  " allocated, " + format_bytes(memory.peak_reserved) + " reserved, and " +
                                                  format_bytes(answer.context) + " of CUDA context."});
  section.elements.emplace_back(memory_plot("memory over the rehearsed steps, event by event", static_cast<double>(memory.timeline.size()),
                                            memory.peak_reserved, memory.timeline));
  Table lines{.header = {"line", "held at the peak"}};
  for (const auto& site : memory.sites) lines.rows.push_back({printable(site.site), format_bytes(site.bytes)});
  if (!lines.rows.empty()) section.elements.emplace_back(std::move(lines));
  return section;
}

}  // namespace

std::string estimate_html(const Estimate& estimate, const CardComparison& cards) {
  const auto text = estimate_text(estimate, cards);
  const auto end = text.find('\n');
  Document document{.title = "Memory estimate"};
  Section answer{.title = "Answer"};
  answer.elements.emplace_back(Paragraph{.text = text.substr(0, end), .strong = true, .tone = tone_of(fit_verdict(estimate))});
  document.sections.push_back(std::move(answer));
  if (estimate.rehearsal) document.sections.push_back(over_time(*estimate.rehearsal));
  Section all{.title = "All of it"};
  all.elements.emplace_back(Code{.text = text});
  document.sections.push_back(std::move(all));
  return to_html(document);
}

}  // namespace gputop
