#include "gputop/ui/interface.hpp"

#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/term/osc.hpp"
#include "ui/interface_body.hpp"

namespace gputop::ui {

Interface::Interface(Settings settings, const Theme& theme, term::ColorDepth depth, GlyphSet glyphs, Identity identity)
    : body_(std::make_unique<Body>(std::move(settings), theme, depth, glyphs, identity)) {}
Interface::~Interface() = default;
Interface::Interface(Interface&&) noexcept = default;
Interface& Interface::operator=(Interface&&) noexcept = default;

bool Interface::render(const Model& model, ftxui::Screen& screen, term::RowHistory* rows) {
  return body_->render(model, screen, rows);
}
std::vector<Effect> Interface::handle(const ftxui::Event& event, const Model& model) {
  return body_->handle(event, model);
}
std::vector<Effect> Interface::paste(std::string_view text) {
  return body_->paste(text);
}
void Interface::set_output(const term::Emulator* output) {
  body_->set_output(output);
}
void Interface::set_recorded(bool recorded) {
  body_->recorded_ = recorded;
}
void Interface::answer(PastAnswer answer) {
  body_->answer(std::move(answer));
}
void Interface::looked_back(std::uint64_t request, int percent) {
  body_->looked_back(request, percent);
}
std::optional<Interface::OutputSize> Interface::output_size() const {
  return body_->output_size();
}
void Interface::follow_background() {
  body_->follow_background();
}

bool Interface::follows_background() const {
  return body_->follows_background();
}

std::vector<Effect> Interface::background(std::string_view answer, const Model& model) {
  return body_->background(answer, model);
}

void Interface::set_theme(const Theme& theme) {
  body_->set_theme(theme);
}
const Settings& Interface::settings() const {
  return body_->settings_;
}

void Interface::set_themes(std::vector<std::string> names) {
  body_->choices_.themes = std::move(names);
  body_->touch();
}

void Interface::set_problems(std::vector<std::string> problems) {
  if (!problems.empty()) {
    const auto more = problems.size() - 1;
    notify(printable(problems.front()) + (more > 0 ? " (and " + std::to_string(more) + " more: F2)" : ""));
  }
  body_->choices_.problems = std::move(problems);
  body_->touch();
}

void Interface::notify(std::string text) {
  body_->view_.notice = printable(text);
  body_->touch();
}

void Interface::not_made(std::string text) {
  body_->stop_asking();
  notify(std::move(text));
}

void Interface::ask(ChangeQuestion question) {
  body_->ask(std::move(question));
}

Interface::Body::Body(Settings settings, const Theme& theme, term::ColorDepth depth, GlyphSet glyphs, Identity identity)
    : settings_(std::move(settings)), depth_(depth), styles_(theme, depth), glyphs_(glyphs), identity_(identity) {
  view_.focus = pane_index("processes");
  adopt_settings();
  make_dialogs();
}

// An answer that comes late is a surprise: whoever looks has got used to the screen, or has chosen a theme.
std::vector<Effect> Interface::Body::background(std::string_view answer, const Model& model) {
  constexpr Duration kShort = std::chrono::seconds{2};
  const bool timely = !first_shown_ || model.now - *first_shown_ <= kShort;
  if (!std::exchange(follows_background_, false) || !timely || !term::is_light(answer).value_or(false)) return {};
  return {SelectTheme{"light"}};
}

void Interface::Body::set_theme(const Theme& theme) {
  styles_ = term::StyleSheet{theme, depth_};
  settings_.theme = theme.name;
  restyled_ = true;
  touch();
}

void Interface::Body::adopt_settings() {
  for (PaneIndex i = 0; i < kPanes.size(); ++i) {
    const auto& names = settings_.hidden_panes;
    view_.hidden[i] = kPanes[i].number > 0 && std::find(names.begin(), names.end(), kPanes[i].name) != names.end();
  }
  if (output_ == nullptr) view_.hidden[pane_index("output")] = true;
  if (view_.zoomed && view_.hidden[*view_.zoomed]) view_.zoomed.reset();
  auto& order = view_.processes.order;
  order.sort = process_column(settings_.process_sort).value_or(ProcessColumn::kGpuMemory);
  order.descending = settings_.process_sort_descending;
  order.tree = settings_.process_tree;
}

// Panes come and go with the size; the keys must go to one that is there.
void Interface::Body::keep_focus_visible() {
  const auto panes = layout_.panes();
  if (!panes.empty() && std::find(panes.begin(), panes.end(), view_.focus) == panes.end()) view_.focus = panes.back();
}

std::vector<KeyContext> Interface::Body::key_contexts() const {
  switch (view_.overlay) {
    case Overlay::kSetup: return {KeyContext::kSetup};
    case Overlay::kConfirmSignal: return {KeyContext::kConfirm};
    case Overlay::kChange: return {KeyContext::kChange};
    case Overlay::kOffer: return {KeyContext::kOffer};
    case Overlay::kDiff:
    case Overlay::kHelp:
    case Overlay::kWhy:
    case Overlay::kDetail:
    case Overlay::kSortMenu:
    case Overlay::kSignalMenu: return {KeyContext::kMenu};
    case Overlay::kInterruptRun: return {KeyContext::kConfirm};
    case Overlay::kEndRun: return {KeyContext::kEndRun};
    case Overlay::kFind:
    case Overlay::kFilter: return {};
    case Overlay::kNone: break;
  }
  if (view_.output.typing) return {KeyContext::kTyping};
  if (focused_on("output")) return {KeyContext::kOutput, KeyContext::kAnywhere};
  if (focused_on("charts")) return {KeyContext::kCharts, KeyContext::kAnywhere};
  if (focused_on("processes")) return {KeyContext::kProcesses, KeyContext::kAnywhere};
  return {KeyContext::kAnywhere};
}

}  // namespace gputop::ui
