// All that gputop says about a stream of events, as report, advise, compare, snapshot, headless lines and the farewell
// say it.
#pragma once

#include <cstdlib>

#include "gputop/advisor/advisor.hpp"
#include "gputop/report/advice.hpp"
#include "gputop/report/comparison.hpp"
#include "gputop/report/findings_builder.hpp"
#include "gputop/report/headless_lines.hpp"
#include "gputop/report/run_summary.hpp"
#include "gputop/report/snapshot.hpp"

namespace gputop::fuzz {

inline void say_everything(const FindingsBuilder& builder) {
  const auto facts = builder.facts();
  Advisor judge{AdvisorSettings{}};
  judge.conclude(facts);
  const auto findings = builder.finish("fuzz", facts, judge.advice());
  const auto comparison = compare_findings({findings, findings});
  std::size_t said =
      findings_markdown(findings).size() + findings_html(findings).size() + findings_json(findings).size();
  said +=
      comparison_markdown(comparison).size() + comparison_html(comparison).size() + comparison_json(comparison).size();
  said += advice_json(judge.advice(), facts).size() + advice_text(judge.advice(), facts).size();
  const auto& model = builder.model();
  said += snapshot_json(model).size() + snapshot_csv(model).size() + snapshot_table(model).size();
  said += headless_lines(model).size() + run_summary(model, "").size();
  if (said == 0) std::abort();
}

}  // namespace gputop::fuzz
