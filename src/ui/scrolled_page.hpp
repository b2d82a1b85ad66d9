// A page of rows that is longer than its room: view.menu is its window.
#pragma once

#include <algorithm>

#include "ui/look.hpp"

namespace gputop::ui {

inline ftxui::Element scrolled_page(Look& look, ftxui::Elements rows) {
  const int count = static_cast<int>(rows.size());
  auto& menu = look.view.menu;
  menu.page = std::max(1, look.height);
  menu.cursor = std::clamp(menu.cursor, 0, std::max(0, count - look.height));
  const int end = std::min(count, menu.cursor + look.height);
  ftxui::Elements shown(rows.begin() + menu.cursor, rows.begin() + end);
  if (count > look.height) {
    look.title.push_back({"  lines " + std::to_string(menu.cursor + 1) + "–" + std::to_string(end) + " of " +
                              std::to_string(count) + " (PageDown)",
                          Role::kMuted});
  }
  return ftxui::vbox(std::move(shown));
}

}  // namespace gputop::ui
