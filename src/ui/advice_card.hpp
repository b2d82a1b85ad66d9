// A finding on the screen: its headline, what it brings and costs, and what became of changes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ui/look.hpp"

namespace gputop::ui {

Role finding_role(const Finding& finding);
Role stage_role(ChangeReported::Stage stage);

// What holds the run up, in one sentence; while it is too early: what is waited for, and how long.
std::string verdict_of(const Model& model);

// "Raise batch_size 8 → 32", or its title where no knob does it.
std::string headline(const Finding& finding);
// expect / fits / with it / risk / cost, as far as they are known; without a label: what to do, and why.
std::vector<std::pair<std::string, std::string>> card_lines(const Model& model, const Finding& finding);
enum class CardSize : std::uint8_t {
  kWhole,
  kTitles,  // one that is not selected has its headline only
  kShort,   // and the selected one leaves out what the page behind `w` has, too
};
ftxui::Elements advice_card(const Model& model, const Look& look, const Finding& finding, int number, bool selected,
                            CardSize size);

// "batch_size 8 → 32   163 → 653 samples/s   4.0× as fast (+300 % ± 10 %)   kept".
std::string tried_in_words(const Model& model, const ChangeTrack::Mark& mark);
ftxui::Elements tried_rows(const Model& model, const Look& look, int most);
// "✓ 96 % busy  ✗ 24 % slower than at the start": the bad ones first, as many as fit.
ftxui::Elements sign_rows(const Model& model, const Look& look, int most);
Role sign_role(Sign::Kind kind);

}  // namespace gputop::ui
