#include "ui/sign_line.hpp"

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

bool sign_line(Painter& painter, int x, int y, int width, const std::vector<Sign>& signs) {
  int used = 0;
  for (const auto kind : {Sign::Kind::kBad, Sign::Kind::kFair, Sign::Kind::kGood}) {
    for (const auto& sign : signs) {
      const auto text = joined({mark_of(kind), " ", sign.text});
      if (sign.kind != kind || used + columns_of(text) > width) continue;
      used += painter.text(x + used, y, text, sign_role(kind)) + 2;
    }
  }
  return used > 0;
}

}  // namespace gputop::ui
