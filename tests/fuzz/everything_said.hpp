// All that gputop says about a stream of events, as report, advise, compare, snapshot, headless lines and the farewell
// say it.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gputop/advisor/advisor.hpp"
#include "gputop/report/advice.hpp"
#include "gputop/report/comparison.hpp"
#include "gputop/report/findings_builder.hpp"
#include "gputop/report/headless_lines.hpp"
#include "gputop/report/run_summary.hpp"
#include "gputop/report/snapshot.hpp"

namespace gputop::fuzz {

// Which of the reports an input is turned into: all of them would make most of its cost. The same input, the same report.
inline unsigned choice_of(std::string_view input) {
  std::uint32_t sum = 2166136261U;
  for (const char c : input) sum = (sum ^ static_cast<unsigned char>(c)) * 16777619U;
  return (sum >> 8U) % 8U;
}

inline void say_everything(const FindingsBuilder& builder, std::string_view input) {
  const auto choice = choice_of(input);
  const auto& model = builder.model();
  std::size_t said = 1;
  if (choice == 0) said = snapshot_json(model).size() + snapshot_csv(model).size() + snapshot_table(model).size();
  if (choice == 1) said = headless_lines(model).size() + run_summary(model, "").size();
  if (choice < 2 && said > 0) return;
  const auto facts = builder.facts();
  Advisor judge{AdvisorSettings{}};
  judge.conclude(facts);
  if (choice == 2) said = advice_json(judge.advice(), facts).size() + advice_text(judge.advice(), facts).size();
  if (choice == 2 && said > 0) return;
  const auto findings = builder.finish("fuzz", facts, judge.advice());
  const auto compared = [&] { return compare_findings({findings, findings}); };
  switch (choice) {
    case 3: said = findings_markdown(findings).size(); break;
    case 4: said = findings_html(findings).size(); break;
    case 5: said = findings_json(findings).size(); break;
    case 6: said = comparison_markdown(compared()).size() + comparison_json(compared()).size(); break;
    default: said = comparison_html(compared()).size();
  }
  if (said == 0) std::abort();
}

}  // namespace gputop::fuzz
