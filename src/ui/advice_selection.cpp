#include "ui/advice_selection.hpp"

#include <algorithm>

namespace gputop::ui {

std::vector<const Finding*> shown_advice(const Model& model, const View& view) {
  std::vector<const Finding*> shown;
  for (const auto& finding : model.advice.now().findings) {
    if (!view.dismissed.contains(finding.id)) shown.push_back(&finding);
  }
  return shown;
}

const Finding* selected_advice(const Model& model, const View& view) {
  const auto shown = shown_advice(model, view);
  if (shown.empty()) return nullptr;
  const auto at =
      std::clamp<std::size_t>(static_cast<std::size_t>(std::max(0, view.advice.cursor)), 0, shown.size() - 1);
  return shown[at];
}

}  // namespace gputop::ui
