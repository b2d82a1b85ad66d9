#include "ui/sign_line.hpp"

#include <algorithm>

#include "ui/text.hpp"

namespace gputop::ui {

Role sign_role(Sign::Kind kind) {
  switch (kind) {
    case Sign::Kind::kGood: return Role::kGood;
    case Sign::Kind::kBad: return Role::kBad;
    case Sign::Kind::kFair: break;
  }
  return Role::kMuted;
}

int sign_lines(Painter& painter, int x, int y, int width, int most, const std::vector<Sign>& signs) {
  std::vector<int> used(static_cast<std::size_t>(std::max(0, most)));
  for (const auto kind : {Sign::Kind::kBad, Sign::Kind::kFair, Sign::Kind::kGood}) {
    for (const auto& sign : signs) {
      const auto text = joined({mark_of(kind), " ", sign.text});
      if (sign.kind != kind) continue;
      // Into the first line that has room for it.
      const int wide = columns_of(text);
      const auto line = std::find_if(used.begin(), used.end(), [&](int taken) { return taken + wide <= width; });
      if (line == used.end()) continue;
      const int at = static_cast<int>(line - used.begin());
      *line += painter.text(x + *line, y + at, text, sign_role(kind)) + 2;
    }
  }
  return static_cast<int>(std::count_if(used.begin(), used.end(), [](int taken) { return taken > 0; }));
}

}  // namespace gputop::ui
