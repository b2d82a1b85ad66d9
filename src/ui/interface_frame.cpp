// A frame: the panes' elements put together, rendered by FTXUI, compared with the frame before.
#include <algorithm>

#include <ftxui/dom/elements.hpp>

#include "gputop/core/characters.hpp"
#include "gputop/term/ascii.hpp"
#include "gputop/term/frame_cells.hpp"
#include "ui/interface_body.hpp"
#include "ui/top_line.hpp"

namespace gputop::ui {
namespace {

bool is_digit(const ftxui::Pixel& pixel) {
  return pixel.character.size() == 1 && gputop::is_digit(pixel.character[0]);
}

std::uint64_t mix(std::uint64_t seed, std::uint64_t value) {
  return (seed ^ value) * 0x9E3779B97F4A7C15ULL + (seed >> 7U);
}

}  // namespace

Look Interface::Body::look() {
  return {.settings = settings_,
          .identity = identity_,
          .choices = choices_,
          .styles = styles_,
          .glyphs = glyphs_,
          .view = view_,
          .charts = charts_,
          .process_lines = process_lines_,
          .gpu_order = gpu_order_,
          .hits = hits_,
          .paused = frozen_ != nullptr,
          .output = past_ ? &past_->terminal : output_,
          .past = past_.get(),
          .depth = depth_};
}

// Of all that a pane shows and that is not the view's: while it stays the same, so do the pane's cells.
std::uint64_t Interface::Body::stamp_of(const Model& model, PaneIndex pane) const {
  const auto time = [](Instant at) { return static_cast<std::uint64_t>(at.time_since_epoch().count()); };
  auto stamp = mix(model.log.size(), model.log.empty() ? 0 : time(model.log.back().at));
  const auto name = kPanes[pane].name;
  if (name == "events") return stamp;
  stamp = mix(stamp, (model.run && model.run->end ? 1U : 0U) + model.changes.marks.size() * 2);
  if (name == "output") return mix(stamp, output_ != nullptr ? output_->revision() : 0);
  if (name == "advisor") return mix(mix(stamp, model.advice.asked ? time(*model.advice.asked) : 0), time(model.gpus_at));
  stamp = mix(mix(stamp, time(model.host_at)), time(model.gpus_at));
  if (name == "progress") return mix(stamp, model.run ? model.run->output_bytes : 0);
  return mix(mix(stamp, time(model.processes_at)), model.gpu_source.message.size());
}

Interface::Body::MadePane Interface::Body::pane(const Model& model, const PlacedPane& placed, const Band& band) {
  auto& kept_pane = kept_[placed.pane];
  const auto stamp = stamp_of(model, placed.pane);
  const bool stays = shown_plain_ && !restyled_ && !has_dialog() && kept_pane.stamp == stamp &&
                     kept_pane.view == view_changes_ && kept_pane.width == placed.width &&
                     kept_pane.height == band.height && shown_.dimx() == width_ && shown_.dimy() == height_;
  const bool focused = placed.pane == view_.focus;
  ftxui::Element body;
  if (stays) {
    for (const auto& hit : hits_before_) {
      if (hit.pane == placed.pane && hit.kind != Hit::Kind::kKey) hits_.push_back(hit);
    }
    body = kept(shown_, kept_pane.box);
  } else {
    auto look = this->look();
    look.pane = placed.pane;
    look.focused = focused;
    look.width = placed.width;
    look.height = band.height;
    look.title = {{std::string{kPanes[placed.pane].title}, Role::kTitle}};
    body = band.height > 0 && placed.width > 0 ? kPanes[placed.pane].make(model, look) : ftxui::emptyElement();
    body = look.hit(ftxui::vbox({std::move(body)}), Hit::Kind::kPane, 0);
    kept_pane = {stamp, view_changes_, placed.width, band.height, {}, std::move(look.title)};
  }
  body = std::move(body) | ftxui::size(ftxui::WIDTH, ftxui::EQUAL, placed.width) |
         ftxui::size(ftxui::HEIGHT, ftxui::EQUAL, band.height) | ftxui::reflect(kept_pane.box);
  if (band.title == 0) return {nullptr, std::move(body)};
  auto title = kept_pane.title;
  if (focused && !title.empty()) title.front().role = Role::kBorderFocused;
  if (kPanes[placed.pane].number > 0)
    title.insert(title.begin(), {std::to_string(kPanes[placed.pane].number) + " ", Role::kKey});
  return {rule(styles_, std::move(title), {}, Role::kBorder) | ftxui::size(ftxui::WIDTH, ftxui::EQUAL, placed.width),
          std::move(body)};
}

ftxui::Element Interface::Body::bottom_line(const Model& model) {
  const bool typed = view_.overlay == Overlay::kFilter || view_.overlay == Overlay::kFind || view_.help_typing;
  if (typed) return input_line();
  auto look = this->look();
  look.width = inner_width();
  const auto contexts = key_contexts();
  return key_line(model, look, contexts, layout_.framed);
}

ftxui::Element Interface::Body::whole(const Model& model) {
  ftxui::Elements bands;
  for (const auto& band : layout_.bands) {
    ftxui::Elements heads;
    ftxui::Elements bodies;
    for (const auto& placed : band.panes) {
      auto made = pane(model, placed, band);
      if (!bodies.empty()) {
        heads.push_back(rule(styles_, {}, {}, Role::kBorder) | ftxui::size(ftxui::WIDTH, ftxui::EQUAL, 1));
        bodies.push_back(wall(styles_, Role::kBorder));
      }
      if (made.head) heads.push_back(std::move(made.head));
      bodies.push_back(std::move(made.body));
    }
    if (band.title > 0) bands.push_back(ftxui::hbox(std::move(heads)));
    bands.push_back(ftxui::hbox(std::move(bodies)));
  }
  if (bands.empty() && height_ > 2) {
    bands.push_back(line(styles_, {{" all panes are hidden: 1 to 7 show one", Role::kMuted}}));
  }
  panes_ = ftxui::vbox(std::move(bands)) | ftxui::flex;
  settle_dialog();
  auto look = this->look();
  // "40 of 64" where not all GPUs have a row: their table has no line of its own to say it.
  const auto& gpus_title = kept_[pane_index("gpus")].title;
  std::string gpus_shown;
  if (!gpus_title.empty() && layout_.size_of(pane_index("gpus"))) {
    const auto& text = gpus_title.front().text;
    if (text.find(" of ") != std::string::npos) gpus_shown = text.substr(5, text.find(',') - 5);
  }
  auto top = top_line(model, look, width_, layout_.framed, gpus_shown);
  auto middle = root_->Render() | ftxui::flex;
  if (!layout_.framed) {
    ftxui::Elements rows{std::move(top) | ftxui::size(ftxui::HEIGHT, ftxui::EQUAL, 1), std::move(middle)};
    if (layout_.footer) rows.push_back(bottom_line(model));
    return ftxui::vbox(std::move(rows));
  }
  const auto side = [&] { return wall(styles_, Role::kBorder); };
  return ftxui::vbox({ftxui::hbox({side(), std::move(top) | ftxui::flex, side()}),
                      ftxui::hbox({side(), std::move(middle), side()}) | ftxui::flex,
                      ftxui::hbox({side(), bottom_line(model) | ftxui::flex, side()})});
}

void Interface::Body::paint(const Model& model, ftxui::Screen& screen) {
  painted_ = &model;
  std::swap(hits_before_, hits_);
  hits_.clear();
  layout_ = make_layout(model, view_, width_, height_);
  keep_focus_visible();
  term::clear(screen, styles_[Role::kText]);
  ftxui::Render(screen, whole(model));
  join_lines(screen);
  light_focus(screen);
  if (glyphs_ == GlyphSet::kBlocks) term::make_plain(screen);
  if (glyphs_ == GlyphSet::kAscii) term::make_ascii(screen);
  painted_ = nullptr;
}

// The clocks in the first line are no news by themselves: a screen on which nothing else moves stays as it is, up to a
// minute.
bool Interface::Body::worth_showing(const Model& model, const ftxui::Screen& next) const {
  const auto cursor = next.cursor();
  const auto before = shown_.cursor();
  if (cursor.shape != before.shape || (cursor.shape != ftxui::Screen::Cursor::Hidden && (cursor.x != before.x || cursor.y != before.y))) return true;
  if (std::any_of(changes_.begin() + 1, changes_.end(), [](term::ColumnSet where) { return where != 0; })) return true;
  if (changes_.front() == 0) return false;
  constexpr Duration kStaleClock = std::chrono::minutes{1};
  if (model.now - shown_at_ >= kStaleClock) return true;
  for (int x = 0; x < next.dimx(); ++x) {
    const auto& now = next.PixelAt(x, 0);
    const auto& then = shown_.PixelAt(x, 0);
    if (!term::same_pixel(now, then) && !(is_digit(now) && is_digit(then))) return true;
  }
  return false;
}

void Interface::Body::stamp_rows() {
  ++last_stamp_;
  rows_.resize(changes_.size());
  for (std::size_t y = 0; y < rows_.size(); ++y) {
    if (changes_[y] != 0) rows_[y].add(last_stamp_, changes_[y]);
  }
}

// A message stands long enough to be read, then the keys come back.
void Interface::Body::expire_notice(const Model& model) {
  constexpr Duration kReadable = std::chrono::seconds{10};
  if (view_.notice != notice_seen_) {
    notice_seen_ = view_.notice;
    notice_at_ = model.now;
  } else if (!view_.notice.empty() && !looking_ && model.now - notice_at_ >= kReadable) {
    view_.notice.clear();
    notice_seen_.clear();
    touch();
  }
}

bool Interface::Body::render(const Model& model, ftxui::Screen& screen, term::RowHistory* rows) {
  ask_about_deaf_run(model);
  show_offer(model);
  expire_notice(model);
  const Model& shown = frozen_ ? *frozen_ : model;
  const bool resized = screen.dimx() != shown_.dimx() || screen.dimy() != shown_.dimy();
  const auto output_revision = output_ != nullptr && !frozen_ ? output_->revision() : output_revision_;
  if (!dirty_ && !resized && shown.revision == revision_ && output_revision == output_revision_) return false;
  if (screen.dimx() <= 0 || screen.dimy() <= 0) return false;
  width_ = screen.dimx();
  height_ = screen.dimy();
  paint(shown, screen);
  revision_ = shown.revision;
  output_revision_ = output_revision;
  dirty_ = false;
  if (resized || restyled_) {
    changes_.assign(static_cast<std::size_t>(height_), term::kAllColumns);
    if (resized) shown_ = ftxui::Screen{width_, height_};
  } else {
    term::find_changes(screen, shown_, changes_);
    if (!worth_showing(shown, screen)) return false;
  }
  shown_at_ = shown.now;
  if (!first_shown_) first_shown_ = shown.now;
  restyled_ = false;
  shown_plain_ = !has_dialog();
  stamp_rows();
  for (int y = 0; y < height_; ++y) {
    term::each_stretch(changes_[static_cast<std::size_t>(y)], width_, [&](term::Columns part, bool) {
      const auto* from = &screen.PixelAt(0, y);
      std::copy(from + part.begin, from + part.end, &shown_.PixelAt(0, y) + part.begin);
    });
  }
  shown_.SetCursor(screen.cursor());
  if (rows != nullptr) *rows = rows_;
  return true;
}

}  // namespace gputop::ui
