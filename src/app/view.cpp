#include "gputop/app/view.hpp"

#include <algorithm>

namespace gputop {

void ListView::move(int delta, int count) {
  cursor = std::clamp(cursor + delta, 0, std::max(0, count - 1));
}

void ListView::settle(int count, int lines) {
  page = std::max(1, lines);
  cursor = std::clamp(cursor, 0, std::max(0, count - 1));
  top = std::clamp(top, cursor - page + 1, cursor);
  top = std::clamp(top, 0, std::max(0, count - page));
}

void ProcessView::set_filter(std::string text) {
  filter_text = std::move(text);
  filter_problem.clear();
  if (filter_text.empty()) {
    filter.reset();
    return;
  }
  if (auto pattern = Pattern::compile(filter_text)) {
    filter = std::move(*pattern);
  } else {
    filter_problem = pattern.error().message;
  }
}

}  // namespace gputop
