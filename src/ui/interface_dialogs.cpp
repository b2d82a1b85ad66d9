// What lies over the panes, as FTXUI components: menus, setup, pages, questions, and the lines one types into.
#include <algorithm>

#include <ftxui/component/component.hpp>
#include <ftxui/component/component_options.hpp>

#include "gputop/core/format.hpp"
#include "ui/brush.hpp"
#include "ui/interface_body.hpp"
#include "ui/setup_rows.hpp"
#include "ui/text.hpp"

namespace gputop::ui {
namespace {

enum DialogTab { kSortTab, kSignalTab, kSetupTab, kPageTab, kQuestionTab };

int tab_of(Overlay overlay) {
  switch (overlay) {
    case Overlay::kSortMenu: return kSortTab;
    case Overlay::kSignalMenu: return kSignalTab;
    case Overlay::kSetup: return kSetupTab;
    case Overlay::kHelp:
    case Overlay::kWhy:
    case Overlay::kDetail: return kPageTab;
    default: return kQuestionTab;
  }
}

ftxui::Element cut_to(ftxui::Element element, int width) {
  return std::move(element) | ftxui::size(ftxui::WIDTH, ftxui::EQUAL, width);
}

}  // namespace

// A window over the panes: its frame, its name, its inside.
ftxui::Element Interface::Body::window(Spans title, ftxui::Element inside) {
  title.insert(title.begin(), {" ", Role::kTitle});
  title.push_back({" ", Role::kTitle});
  // Only the frame has the frame's color.
  auto framed = ftxui::hbox({ftxui::text(" "), std::move(inside) | ftxui::flex, ftxui::text(" ")}) |
                ftxui::borderStyled(ftxui::ROUNDED, styles_[Role::kBorderFocused].foreground);
  auto name = ftxui::hbox({ftxui::emptyElement() | ftxui::size(ftxui::WIDTH, ftxui::EQUAL, 1),
                           line(styles_, std::move(title)),
                           ftxui::emptyElement() | ftxui::size(ftxui::WIDTH, ftxui::EQUAL, 1)});
  return ftxui::dbox({std::move(framed), ftxui::vbox({std::move(name)})}) | ftxui::clear_under | styles_.decorator(Role::kText) |
         ftxui::reflect(dialog_box_);
}

ftxui::Component Interface::Body::make_menu(std::vector<std::string>& entries,
                                            std::function<std::string(std::size_t)> meaning) {
  ftxui::MenuOption option;
  option.entries = &entries;
  option.selected = &view_.menu.cursor;
  option.focused_entry = &view_.menu.cursor;
  option.entries_option.transform = [this, meaning = std::move(meaning)](const ftxui::EntryState& state) {
    const auto name = state.label + std::string(state.label.size() < 11 ? 11 - state.label.size() : 1, ' ');
    auto row = line(styles_, {{name}, {meaning(static_cast<std::size_t>(state.index)), Role::kMuted}});
    return state.active ? over(std::move(row), styles_[Role::kSelection]) : row;
  };
  return ftxui::Menu(option);
}

// A setting that is on or off is a checkbox; the others turn with the arrows.
ftxui::Component Interface::Body::make_setup_row(std::size_t index) {
  const auto row = setup_rows()[index];
  const auto shown = [this, row](bool focused, bool checkbox) {
    const auto label = setup_label(row);
    const auto value = setup_value(row, settings_);
    const int room = std::min(26, dialog_width_ / 2);
    auto left = label + std::string(static_cast<std::size_t>(std::max(1, room - columns_of(label))), ' ');
    const bool on = value == "shown" || value == "on";
    const auto words = checkbox ? (on ? "[x] " : "[ ] ") + value : focused ? "← " + value + " →" : "  " + value;
    auto element = cut_to(line(styles_, {{std::move(left)}, {words, Role::kAccent}}), dialog_width_);
    if (!focused) return element;
    return over(std::move(element), styles_[Role::kSelection]) | ftxui::focus;
  };
  if (!is_switch(row)) return ftxui::Renderer([shown](bool focused) { return shown(focused, false); });
  ftxui::CheckboxOption option;
  option.checked = &setup_checks_[index];
  option.transform = [shown](const ftxui::EntryState& state) { return shown(state.focused, true); };
  option.on_change = [this, row] {
    for (auto& effect : change_setting(row, 1, settings_, choices_)) dialog_effects_.push_back(std::move(effect));
    adopt_settings();
  };
  return ftxui::Checkbox(option);
}

ftxui::Component Interface::Body::make_input(std::string& text, std::function<void()> changed) {
  ftxui::InputOption option;
  option.content = &text;
  option.multiline = false;
  option.cursor_position = &input_cursor_;
  option.on_change = std::move(changed);
  option.transform = [](ftxui::InputState state) { return state.element; };
  return ftxui::Input(option);
}

void Interface::Body::make_dialogs() {
  for (const auto& column : kProcessColumnText) sort_names_.emplace_back(column.title);
  for (const auto& signal : kSignals) signal_names_.emplace_back(signal.name);
  sort_menu_ = make_menu(sort_names_, [](std::size_t i) { return std::string{kProcessColumnText[i].meaning}; });
  signal_menu_ = make_menu(signal_names_, [](std::size_t i) { return std::string{kSignals[i].meaning}; });
  ftxui::Components rows;
  for (std::size_t i = 0; i < setup_rows().size(); ++i) rows.push_back(make_setup_row(i));
  setup_list_ = ftxui::Container::Vertical(rows, &view_.menu.cursor);
  answers_ = ftxui::Container::Horizontal({});
  filter_input_ = make_input(filter_text_, [this] { view_.processes.set_filter(printable(filter_text_)); });
  find_input_ = make_input(view_.output.find_text, [] {});
  help_input_ = make_input(view_.help_text, [this] { view_.menu.cursor = 0; });

  using ftxui::Renderer;
  const auto menu_window = [this](const ftxui::Component& menu, int width, const std::function<Spans()>& title) {
    return Renderer(menu, [this, menu, width, title] {
      return window(title(), menu->Render() | ftxui::vscroll_indicator | ftxui::yframe) |
             ftxui::size(ftxui::WIDTH, ftxui::EQUAL, std::min(width, inner_width())) |
             ftxui::size(ftxui::HEIGHT, ftxui::LESS_THAN, std::max(1, height_ - 2));
    });
  };
  const auto sort = menu_window(sort_menu_, 48, [] { return Spans{{"Sort by", Role::kTitle}}; });
  const auto signal = menu_window(signal_menu_, 52, [this] {
    return Spans{{"Signal to " + std::to_string(target_.pid) + " " + target_.command, Role::kTitle}};
  });
  const auto setup = Renderer(setup_list_, [this] { return setup_window(); });
  const auto page = Renderer([this] { return page_window(); });
  const auto question = Renderer(answers_, [this] { return question_window(); });
  dialogs_ = ftxui::Container::Tab({sort, signal, setup, page, question}, &dialog_at_);
  root_ = Renderer([this] { return panes_; }) | ftxui::Modal(dialogs_, &dialog_open_);
}

ftxui::Element Interface::Body::setup_window() {
  const int width = std::min(inner_width(), 100);
  dialog_width_ = std::max(1, width - 5);
  for (std::size_t i = 0; i < setup_rows().size(); ++i) {
    const auto value = setup_value(setup_rows()[i], settings_);
    setup_checks_[i] = value == "shown" || value == "on";
  }
  ftxui::Elements rows;
  for (const auto& problem : choices_.problems) {
    for (auto& row : paragraph(styles_, printable(problem), dialog_width_, Role::kWarning, 4)) rows.push_back(std::move(row));
  }
  rows.push_back(setup_list_->Render() | ftxui::vscroll_indicator | ftxui::yframe | ftxui::flex);
  return window({{"Setup", Role::kTitle}, {"  ↑↓ choose  ←→ or Space change  Esc saves", Role::kMuted}}, ftxui::vbox(std::move(rows))) |
         ftxui::size(ftxui::WIDTH, ftxui::EQUAL, width) |
         ftxui::size(ftxui::HEIGHT, ftxui::LESS_THAN, std::max(1, height_ - 2));
}

ftxui::Element Interface::Body::page_window() {
  const auto name = view_.overlay == Overlay::kHelp ? "help" : view_.overlay == Overlay::kWhy ? "why" : "detail";
  const auto& entry = kPanes[pane_index(name)];
  const int most = view_.overlay == Overlay::kWhy ? 110 : 180;
  auto look = this->look();
  const int width = std::min(inner_width(), most);
  look.width = std::max(1, width - 4);
  look.height = std::max(1, height_ - 4);
  look.title = {{std::string{entry.title}, Role::kTitle}};
  auto inside = entry.make(*painted_, look);
  return window(look.title, std::move(inside)) | ftxui::size(ftxui::WIDTH, ftxui::EQUAL, width) |
         ftxui::size(ftxui::HEIGHT, ftxui::EQUAL, std::max(1, height_ - 2));
}

Question Interface::Body::question(int width) const {
  switch (view_.overlay) {
    case Overlay::kConfirmSignal: return signal_question(target_);
    case Overlay::kInterruptRun: return interrupt_question(*painted_);
    case Overlay::kOffer: return offer_question(*painted_, std::min(width, 68));
    case Overlay::kEndRun:
      if (relaunching_ && was_asked_to_end(*painted_)) return deaf_question(*painted_);
      return end_question(*painted_, was_asked_to_end(*painted_));
    default: return change_question(view_.change, width);
  }
}

ftxui::Element Interface::Body::question_window() {
  const bool change = view_.overlay == Overlay::kChange || view_.overlay == Overlay::kDiff;
  const int width = std::min(inner_width(), change ? 100 : 72);
  auto asked = question(width - 4);
  auto look = this->look();
  look.width = std::max(1, width - 4);
  look.height = std::min(std::max(1, height_ - 6), static_cast<int>(asked.lines.size()));
  look.title = {{asked.title, Role::kTitle}};
  ftxui::Elements rows;
  for (auto& span : asked.lines) rows.push_back(line(styles_, {std::move(span)}));
  auto page = scrolled_page(look, std::move(rows));
  ftxui::Elements inside{std::move(page)};
  if (height_ >= 10 && answers_->ChildCount() > 0) {
    inside.push_back(ftxui::text(""));
    inside.push_back(answers_->Render());
  }
  return window(look.title, ftxui::vbox(std::move(inside))) | ftxui::size(ftxui::WIDTH, ftxui::EQUAL, width) |
         ftxui::size(ftxui::HEIGHT, ftxui::LESS_THAN, std::max(1, height_ - 2));
}

// A button for each answer that the keys have, too.
void Interface::Body::offer_answers() {
  answers_->DetachAllChildren();
  if (view_.overlay == Overlay::kNone || tab_of(view_.overlay) != kQuestionTab) return;
  for (const auto context : key_contexts()) {
    for (const auto& entry : key_entries()) {
      if (entry.context != context || entry.label.empty() || entry.context == KeyContext::kMenu) continue;
      ftxui::ButtonOption option;
      option.label = std::string{key_names(entry).front()} + " " + std::string{entry.label};
      option.on_click = [this, action = entry.action] { pressed_ = action; };
      option.transform = [this](const ftxui::EntryState& state) {
        auto element = line(styles_, {{" " + state.label + " ", Role::kKey}});
        return ftxui::hbox({state.focused ? over(element, styles_[Role::kSelection]) : element, ftxui::text("  ")});
      };
      answers_->Add(ftxui::Button(option));
    }
  }
}

void Interface::Body::open(Overlay overlay, int cursor) {
  view_.overlay = overlay;
  view_.menu = {.cursor = cursor, .top = 0, .page = view_.menu.page};
  offer_answers();
}

// Lines one types into are at the bottom; everything else lies over the panes.
bool Interface::Body::has_dialog() const {
  return view_.overlay != Overlay::kNone && view_.overlay != Overlay::kFilter && view_.overlay != Overlay::kFind;
}

void Interface::Body::settle_dialog() {
  dialog_open_ = has_dialog();
  if (dialog_open_) dialog_at_ = tab_of(view_.overlay);
}

// The components' own keys and mouse; false: it is none of theirs.
bool Interface::Body::give_to_dialog(const ftxui::Event& event) {
  settle_dialog();
  return dialog_open_ && root_->OnEvent(event);
}

ftxui::Element Interface::Body::input_line() {
  const bool filter = view_.overlay == Overlay::kFilter;
  auto& input = filter ? filter_input_ : view_.overlay == Overlay::kFind ? find_input_ : help_input_;
  Spans label{{filter ? " filter: " : view_.overlay == Overlay::kFind ? " find: " : " search: ", Role::kKeyLabel}};
  ftxui::Elements parts{line(styles_, std::move(label)), input->Render() | ftxui::flex};
  if (filter && !view_.processes.filter_problem.empty())
    parts.push_back(line(styles_, {{" " + view_.processes.filter_problem + " ", Role::kBad}}));
  return ftxui::hbox(std::move(parts));
}

}  // namespace gputop::ui
