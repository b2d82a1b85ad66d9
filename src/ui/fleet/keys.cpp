// What keys do on the fleet's screen.
#include <algorithm>

#include "gputop/ui/fleet_interface.hpp"

namespace gputop::ui {

using fleet::Tab;

FleetInterface::FleetInterface(const Theme& theme, Options options)
    : styles_(theme, options.depth), options_(std::move(options)), places_(1) {}

fleet::Table FleetInterface::table() const {
  return fleet_ ? fleet::make_table(*fleet_, place().tab, place().selection, options_.price) : fleet::Table{};
}

void FleetInterface::clamp_cursor(int rows, int visible) {
  auto& here = place();
  here.cursor = std::clamp(here.cursor, 0, std::max(0, rows - 1));
  here.top = std::clamp(here.top, std::max(0, here.cursor - visible + 1), here.cursor);
  here.top = std::clamp(here.top, 0, std::max(0, rows - visible));
}

FleetInterface::Wish FleetInterface::open(Place next) {
  constexpr std::size_t kDeepest = 16;
  if (places_.size() < kDeepest) places_.push_back(std::move(next));
  history_.reset();
  ++page_number_;
  return Wish::kHistory;
}

// What the row under the cursor is about, the narrowest first.
FleetInterface::Wish FleetInterface::enter() {
  const auto shown = table();
  if (shown.rows.empty()) return Wish::kNothing;
  clamp_cursor(static_cast<int>(shown.rows.size()), page_height_);
  const auto& row = shown.rows[static_cast<std::size_t>(place().cursor)];
  Place next{.tab = Tab::kGpus, .about_one = true};
  if (!row.gpu.empty() && place().selection.gpu.empty()) {
    next.selection.gpu = row.gpu;
  } else if (!row.job.empty() && row.gpu.empty()) {
    next.selection.job = row.job;
  } else if (!row.user.empty() && row.gpu.empty()) {
    next.selection.user = row.user;
  } else if (!row.node.empty() && row.gpu.empty()) {
    next.selection.node = row.node;
  } else {
    return Wish::kNothing;
  }
  return open(std::move(next));
}

FleetInterface::Wish FleetInterface::leave() {
  if (!place().selection.filter.empty()) {
    place().selection.filter.clear();
    return Wish::kNothing;
  }
  if (places_.size() == 1) return Wish::kNothing;
  places_.pop_back();
  history_.reset();
  ++page_number_;
  return Wish::kHistory;
}

FleetInterface::Wish FleetInterface::type(const ftxui::Event& event) {
  auto& filter = place().selection.filter;
  if (event == ftxui::Event::Escape) filter.clear();
  if (event == ftxui::Event::Escape || event == ftxui::Event::Return) {
    typing_ = false;
  } else if (event == ftxui::Event::Backspace) {
    while (!filter.empty() && (static_cast<unsigned char>(filter.back()) & 0xC0U) == 0x80U) filter.pop_back();
    if (!filter.empty()) filter.pop_back();
  } else if (event.is_character() && filter.size() < 200) {
    filter += event.character();
  }
  place().cursor = 0;
  return Wish::kNothing;
}

bool FleetInterface::move(const ftxui::Event& event) {
  auto& cursor = place().cursor;
  const auto character = event.is_character() ? event.character() : std::string{};
  if (event == ftxui::Event::ArrowUp || character == "k") return --cursor, true;
  if (event == ftxui::Event::ArrowDown || character == "j") return ++cursor, true;
  if (event == ftxui::Event::PageUp) return cursor -= page_height_, true;
  if (event == ftxui::Event::PageDown) return cursor += page_height_, true;
  if (event == ftxui::Event::Home || character == "g") return cursor = 0, true;
  if (event == ftxui::Event::End || character == "G") return cursor = 1 << 24, true;
  return false;
}

void FleetInterface::sort_next() {
  auto& selection = place().selection;
  const auto columns = table().columns.size();
  if (!selection.sort) {
    selection.sort = 0;
    selection.descending = false;
  } else if (++*selection.sort >= columns) {
    selection.sort.reset();
  }
  if (selection.sort && *selection.sort > 0) selection.descending = true;
}

FleetInterface::Wish FleetInterface::handle(const ftxui::Event& event) {
  if (event.is_mouse()) {
    auto mouse_event = event;
    if (mouse_event.mouse().button == ftxui::Mouse::WheelUp) place().cursor -= 3;
    if (mouse_event.mouse().button == ftxui::Mouse::WheelDown) place().cursor += 3;
    place().cursor = std::max(0, place().cursor);
    return Wish::kNothing;
  }
  if (typing_) return type(event);
  if (move(event)) {
    place().cursor = std::max(0, place().cursor);
    return Wish::kNothing;
  }
  if (event == ftxui::Event::Return) return enter();
  if (event == ftxui::Event::Escape || event == ftxui::Event::Backspace) return leave();
  const bool next_tab = event == ftxui::Event::Tab || event == ftxui::Event::ArrowRight;
  if (next_tab || event == ftxui::Event::TabReverse || event == ftxui::Event::ArrowLeft) {
    const auto now = static_cast<std::size_t>(places_.front().tab);
    places_.resize(1);
    places_.front() = {.tab = static_cast<Tab>((now + (next_tab ? 1 : fleet::kTabs - 1)) % fleet::kTabs)};
    return Wish::kNothing;
  }
  if (!event.is_character()) return Wish::kNothing;
  const auto key = event.character();
  if (key == "q") return Wish::kQuit;
  if (key == "R") return Wish::kRefresh;
  if (key == "/") typing_ = true;
  if (key == "s") sort_next();
  if (key == "r") place().selection.descending = !place().selection.descending;
  if (key.size() == 1 && key[0] >= '1' && key[0] < '1' + static_cast<char>(fleet::kTabs)) {
    places_.resize(1);
    places_.front() = {.tab = static_cast<Tab>(key[0] - '1')};
  }
  return Wish::kNothing;
}

void FleetInterface::set_fleet(fleet::Fleet fleet) {
  fleet_ = std::move(fleet);
  problem_.clear();
}

void FleetInterface::set_problem(std::string text, WallTime since) {
  if (problem_.empty()) problem_since_ = since;
  problem_ = std::move(text);
}

void FleetInterface::set_history(std::uint64_t page, double from, double to, std::vector<fleet::Series> series) {
  if (page == page_number_) history_ = History{from, to, std::move(series)};
}

}  // namespace gputop::ui
