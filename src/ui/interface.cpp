#include "gputop/ui/interface.hpp"

#include <algorithm>

#include "gputop/core/format.hpp"
#include "ui/footer.hpp"
#include "ui/frame.hpp"
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
}

void Interface::Body::set_theme(const Theme& theme) {
  styles_ = term::StyleSheet{theme, depth_};
  settings_.theme = theme.name;
  dirty_ = restyled_ = true;
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

PaneContext Interface::Body::context(const Model& model) {
  return {.model = model,
          .settings = settings_,
          .identity = identity_,
          .choices = choices_,
          .glyphs = glyphs_,
          .view = view_,
          .charts = charts_,
          .process_lines = process_lines_,
          .hits = hits_,
          .paused = frozen_ != nullptr,
          .output = past_ ? &past_->terminal : output_,
          .past = past_.get(),
          .depth = depth_};
}

// Panes come and go with the size; the keys must go to one that is there.
void Interface::Body::keep_focus_visible() {
  const auto& panes = layout_.panes;
  const auto same = [&](const PlacedPane& placed) { return placed.pane == view_.focus; };
  if (!panes.empty() && std::none_of(panes.begin(), panes.end(), same)) view_.focus = panes.back().pane;
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

void Interface::Body::paint_overlay(PaneContext& context) {
  const Rect page{0, std::min(1, canvas_.height() - 1), canvas_.width(), std::max(1, canvas_.height() - 2)};
  switch (view_.overlay) {
    case Overlay::kHelp:
    case Overlay::kWhy:
    case Overlay::kSetup: {
      const auto& entry = kPanes[pane_index(view_.overlay == Overlay::kHelp    ? "help"
                                            : view_.overlay == Overlay::kSetup ? "setup"
                                                                               : "why")];
      const int width = std::min(page.width, 100);
      hits_.clear();
      entry.paint(context, paint_box(canvas_, {(page.width - width) / 2, page.y, width, page.height}, entry.title));
      return;
    }
    case Overlay::kDiff:
    case Overlay::kChange: hits_.clear(); return paint_change(context, canvas_);
    case Overlay::kOffer: hits_.clear(); return paint_offer(context, canvas_);
    case Overlay::kSortMenu: hits_.clear(); return paint_sort_menu(context, canvas_);
    case Overlay::kSignalMenu: hits_.clear(); return paint_signal_menu(context, canvas_, target_);
    case Overlay::kConfirmSignal: hits_.clear(); return paint_confirmation(canvas_, target_);
    case Overlay::kInterruptRun: hits_.clear(); return paint_interrupt_question(context, canvas_);
    case Overlay::kEndRun:
      hits_.clear();
      if (relaunching_ && was_asked_to_end(context.model)) return paint_deaf_question(context, canvas_);
      return paint_end_question(context, canvas_, was_asked_to_end(context.model));
    case Overlay::kFind:
    case Overlay::kFilter:
    case Overlay::kNone: return;
  }
}

void Interface::Body::paint(const Model& model) {
  hits_.clear();
  layout_ = make_layout(model, view_, canvas_.width(), canvas_.height());
  keep_focus_visible();
  canvas_.start_from(backdrop_.canvas(canvas_.width(), canvas_.height(), layout_, view_.focus));
  auto frame = context(model);
  std::vector<std::string> titles;
  for (const auto& placed : layout_.panes) {
    frame.pane = placed.pane;
    frame.focused = placed.pane == view_.focus;
    frame.title = kPanes[placed.pane].title;
    Painter painter{canvas_, placed.body};
    frame.hit(painter, {0, 0, painter.width(), painter.height()}, Hit::Kind::kPane, 0);
    if (!placed.body.empty()) kPanes[placed.pane].paint(frame, painter);
    titles.push_back(std::move(frame.title));
  }
  paint_titles(canvas_, layout_, view_, titles);
  paint_overlay(frame);
  frame.framed = layout_.framed;
  if (!layout_.footer.empty()) {
    const auto contexts = key_contexts();
    paint_footer(frame, Painter{canvas_, layout_.footer}, contexts, layout_.framed);
  }
  panes::header(frame, Painter{canvas_, layout_.header});  // last: nothing may cover SIMULATED
}

// The clocks in the header are no news by themselves: a screen on which nothing else moves stays as it is, up to a
// minute.
bool Interface::Body::worth_showing(const Model& model) const {
  if (std::all_of(changes_.begin(), changes_.end(), [](term::ColumnSet where) { return where == 0; })) return false;
  constexpr Duration kStaleClock = std::chrono::minutes{1};
  return model.now - shown_at_ >= kStaleClock || !canvas_.same_but_digits(shown_, layout_.header);
}

void Interface::Body::stamp_rows() {
  ++last_stamp_;
  rows_.resize(changes_.size());
  for (std::size_t y = 0; y < rows_.size(); ++y) {
    if (changes_[y] != 0) rows_[y].add(last_stamp_, changes_[y]);
  }
}

bool Interface::Body::render(const Model& model, ftxui::Screen& screen, term::RowHistory* rows) {
  ask_about_deaf_run(model);
  show_offer(model);
  const Model& shown = frozen_ ? *frozen_ : model;
  const bool resized = screen.dimx() != canvas_.width() || screen.dimy() != canvas_.height();
  const auto output_revision = output_ != nullptr && !frozen_ ? output_->revision() : output_revision_;
  if (!dirty_ && !resized && shown.revision == revision_ && output_revision == output_revision_) return false;
  canvas_.resize(screen.dimx(), screen.dimy());
  if (canvas_.width() > 0 && canvas_.height() > 0) paint(shown);
  revision_ = shown.revision;
  output_revision_ = output_revision;
  dirty_ = false;
  if (resized || restyled_) {
    changes_.assign(static_cast<std::size_t>(std::max(0, canvas_.height())), term::kAllColumns);
  } else {
    canvas_.find_changes(shown_, changes_);
    if (!worth_showing(shown)) return false;
  }
  shown_at_ = shown.now;
  restyled_ = false;
  stamp_rows();
  canvas_.copy_to(screen, styles_, glyphs_, rows != nullptr ? *rows : term::RowHistory{}, rows_);
  if (rows != nullptr) *rows = rows_;
  std::swap(shown_, canvas_);
  canvas_.resize(shown_.width(), shown_.height());
  return true;
}

}  // namespace gputop::ui
