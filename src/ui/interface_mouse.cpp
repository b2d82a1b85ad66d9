// The mouse: what lies under it was noted while painting.
#include <algorithm>

#include "ui/interface_body.hpp"
#include "ui/keymap.hpp"

namespace gputop::ui {

const Hit* Interface::Body::hit_at(int x, int y) const {
  const auto found =
      std::find_if(hits_.rbegin(), hits_.rend(), [&](const Hit& hit) { return hit.area.Contain(x, y); });
  return found == hits_.rend() ? nullptr : &*found;
}

std::vector<Effect> Interface::Body::handle_mouse(const ftxui::Mouse& mouse, const Model& model) {
  using ftxui::Mouse;
  if (mouse.motion == Mouse::Released) {
    dragged_.reset();
    return {};
  }
  const bool moving = mouse.motion == Mouse::Moved;
  if (moving || (dragged_ && mouse.button == Mouse::Left)) {
    if (dragged_) drag(*dragged_, mouse.x, model);
    return {};
  }
  const Hit* hit = hit_at(mouse.x, mouse.y);
  if (has_dialog() && !(hit && hit->kind == Hit::Kind::kKey)) return click_dialog(mouse, model);
  if (mouse.button == Mouse::WheelUp || mouse.button == Mouse::WheelDown) {
    touch();
    const auto action = mouse.button == Mouse::WheelUp ? Action::kUp : Action::kDown;
    for (int i = 0; i < 3; ++i) {
      if (hit && hit->kind == Hit::Kind::kPlot) {
        if (i == 0) act_on_charts(mouse.button == Mouse::WheelUp ? Action::kChartCloser : Action::kChartWider, model);
      } else if (hit && hit->kind != Hit::Kind::kKey) {
        // The wheel scrolls what it points at, the keys stay where they were.
        const auto focus = std::exchange(view_.focus, hit->pane);
        scroll(action, model);
        view_.focus = focus;
      }
    }
    return {};
  }
  if (mouse.button != Mouse::Left || !hit) return {};
  touch();
  view_.notice.clear();
  const Hit copy = *hit;  // acting may paint, and painting notes anew
  return click(copy, mouse, model);
}

std::vector<Effect> Interface::Body::click(const Hit& hit, const ftxui::Mouse& mouse, const Model& model) {
  if (hit.kind == Hit::Kind::kKey) {
    const auto action = static_cast<Action>(hit.argument);
    return view_.overlay == Overlay::kNone ? act(action, ftxui::Event::Custom, model) : act_on_menu(action, model);
  }
  view_.focus = hit.pane;
  switch (hit.kind) {
    case Hit::Kind::kColumn: {
      const auto column = static_cast<ProcessColumn>(hit.argument);
      if (view_.processes.order.sort != column) {
        sort_by(column);
      } else {
        settings_.process_sort_descending = !settings_.process_sort_descending;
        adopt_settings();
      }
      break;
    }
    case Hit::Kind::kRow:
      if (focused_on("processes")) {
        view_.processes.list.cursor = hit.argument;
        view_.processes.follow = false;
      } else if (focused_on("events")) {
        view_.events.cursor = hit.argument;
        view_.events_at_end = hit.argument + 1 >= static_cast<int>(model.log.size());
      } else if (focused_on("advisor")) {
        view_.advice.cursor = hit.argument;
      } else if (focused_on("gpus")) {
        const bool again = view_.gpus.cursor == hit.argument;
        view_.gpus.cursor = hit.argument;
        const auto at = static_cast<std::size_t>(hit.argument);
        if (at >= gpu_order_.size()) break;
        view_.chart.each_gpu = false;
        if (again && view_.chart.gpu == gpu_order_[at]) {
          view_.chart.gpu.reset();
        } else {
          view_.chart.gpu = gpu_order_[at];
        }
      }
      break;
    case Hit::Kind::kPlot:
      dragged_ = hit;
      drag(hit, mouse.x, model);
      break;
    default: break;
  }
  return {};
}

// A menu's row: the first click selects it, the next one takes it. A button is pressed at once.
std::vector<Effect> Interface::Body::click_dialog(const ftxui::Mouse& mouse, const Model& model) {
  touch();
  if (mouse.button == ftxui::Mouse::WheelUp || mouse.button == ftxui::Mouse::WheelDown) {
    const auto action = mouse.button == ftxui::Mouse::WheelUp ? Action::kUp : Action::kDown;
    return act_on_menu(action, model);
  }
  const int before = view_.menu.cursor;
  pressed_ = Action::kNone;
  const bool taken = give_to_dialog(ftxui::Event::Mouse("", mouse));
  if (pressed_ != Action::kNone) return act_on_menu(std::exchange(pressed_, Action::kNone), model);
  const bool menu = view_.overlay == Overlay::kSortMenu || view_.overlay == Overlay::kSignalMenu;
  if (taken && menu && mouse.button == ftxui::Mouse::Left && view_.menu.cursor == before) return accept_menu();
  const auto row = static_cast<std::size_t>(std::max(0, view_.menu.cursor));
  const bool turns = view_.overlay == Overlay::kSetup && row < setup_rows().size() && !is_switch(setup_rows()[row]);
  if (taken && turns && mouse.button == ftxui::Mouse::Left && view_.menu.cursor == before)
    return act_on_menu(Action::kRight, model);
  return {};
}

void Interface::Body::drag(const Hit& hit, int x, const Model& model) {
  const auto window = view_.chart.window(model.now, hit.argument);
  const int cell = std::clamp(x - hit.area.x_min - kChartLabels, 0, window.cells - 1);
  view_.chart.cursor = window.begin_of(cell) + window.cell / 2;
  touch();
}

}  // namespace gputop::ui
