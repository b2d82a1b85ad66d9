#include "gputop/term/emulator.hpp"

#include <algorithm>
#include <utility>

#include "term/emulator_body.hpp"
#include "term/output_digest.hpp"

namespace gputop::term {
namespace {

// Memory that libtsm may use for lines that left the screen and were not taken over yet. While everything that will be
// kept fits, nothing is taken over until somebody looks, and a flood costs nothing beyond libtsm itself.
constexpr std::size_t kHeldBytes = 20U << 20U;
constexpr std::size_t kBytesOfCell = 32;

// More than this is emulated before anybody looks; a smaller amount is emulated without being digested first.
constexpr std::size_t kMostWaiting = 2U << 20U;
constexpr std::size_t kFlood = 32U << 10U;
constexpr std::size_t kPlaces = 4U << 10U;  // resolution of the map from bytes to lines

int clamped_columns(int columns) {
  return std::clamp(columns, Emulator::kLeastColumns, Emulator::kMostColumns);
}
int clamped_rows(int rows) {
  return std::clamp(rows, 1, Emulator::kMostRows);
}

}  // namespace

Emulator::Emulator(Options options) : body_(std::make_unique<Body>(options)) {}
Emulator::~Emulator() = default;
Emulator::Emulator(Emulator&&) noexcept = default;
Emulator& Emulator::operator=(Emulator&&) noexcept = default;

void Emulator::feed(std::string_view bytes) {
  body_->feed(bytes);
}
void Emulator::resize(int columns, int rows) {
  body_->resize(columns, rows);
}
void Emulator::set_scrollback(std::size_t lines) {
  body_->set_scrollback(lines);
}
int Emulator::columns() const {
  return body_->grid_.columns();
}
int Emulator::rows() const {
  return body_->grid_.rows();
}
std::uint64_t Emulator::revision() const {
  return body_->revision_;
}
std::uint64_t Emulator::first_line() const {
  body_->settle();
  return body_->first_line();
}
std::uint64_t Emulator::screen_line() const {
  body_->settle();
  return body_->screen_line();
}
std::uint64_t Emulator::end_line() const {
  return screen_line() + static_cast<std::uint64_t>(rows());
}
const OutputLine& Emulator::line(std::uint64_t number) const {
  body_->settle();
  return body_->line(number);
}
std::uint64_t Emulator::fed_since(std::uint64_t line) const {
  body_->settle();
  return body_->fed_since(line);
}
bool Emulator::alternate() const {
  body_->settle();
  return body_->grid_.alternate();
}

Emulator::Cursor Emulator::cursor() const {
  body_->settle();
  const auto& grid = body_->grid_;
  return {std::min(grid.x(), columns() - 1), std::min(grid.y(), rows() - 1), body_->cursor_visible_};
}

std::string Emulator::text(std::uint64_t from, std::uint64_t to) const {
  std::string text;
  to = std::min(to, end_line());
  for (auto number = std::max(from, first_line()); number < to; ++number) text += line(number).text + "\n";
  return text;
}

Emulator::Body::Body(const Options& options)
    : grid_(clamped_columns(options.columns), clamped_rows(options.rows)),
      parser_(*this, kLongestString),
      most_lines_(options.scrollback),
      newline_returns_(options.newline_returns),
      margin_bottom_(grid_.rows() - 1) {
  hold_lines();
}

void Emulator::Body::feed(std::string_view bytes) {
  if (bytes.empty()) return;
  waiting_ += bytes;
  ++revision_;
  if (waiting_.size() >= kMostWaiting) settle();
}

void Emulator::Body::settle() {
  if (waiting_.empty()) return;
  const std::string whole = std::exchange(waiting_, {});
  std::string_view bytes = whole;
  if (bytes.size() < kFlood) return emulate(bytes);
  while (!bytes.empty()) {
    const auto plain = parser_.idle() ? plain_length(bytes) : 0;
    const auto length = std::max<std::size_t>(plain, 1);  // other bytes one by one
    if (plain >= kFlood) {
      flood(bytes.substr(0, length));
    } else {
      emulate(bytes.substr(0, length));
    }
    bytes.remove_prefix(length);
  }
}

void Emulator::Body::emulate(std::string_view bytes) {
  parser_.feed(bytes);
  emulated_ += bytes.size();
  note_place();
}

// Emulates only what stays: neither lines that come and go between two looks and are too old to be scrolled back to,
// nor overwritten progress bars.
void Emulator::Body::flood(std::string_view plain) {
  const auto keep = most_lines_ + static_cast<std::size_t>(grid_.rows());
  const bool scrolls = !grid_.alternate() && margin_top_ == 0 && margin_bottom_ == grid_.rows() - 1;
  const auto skip = scrolls ? find_skippable(plain, keep, grid_.columns(), newline_returns_) : std::nullopt;
  if (skip) {
    scrolled_ += skip->lines;
    parser_.feed(skip->looks + "\r");
    plain.remove_prefix(skip->end);
    emulated_ += skip->end;
    note_place();
  }
  if (grid_.has(TSM_SCREEN_INSERT_MODE)) return emulate(plain);
  while (!plain.empty()) {
    const auto end = plain.find('\n', std::min(kPlaces, plain.size()));
    const auto some = plain.substr(0, end == std::string_view::npos ? end : end + 1);
    parser_.feed(without_overwritten(some, grid_.columns()));
    emulated_ += some.size();
    note_place();
    plain.remove_prefix(some.size());
  }
}

void Emulator::Body::note_place() {
  const auto line = scrolled_ + static_cast<std::uint64_t>(std::max(0, grid_.y()));
  if (grid_.alternate() || (!places_.empty() && line <= places_.back().line)) return;
  places_.push_back({line, emulated_});
  while (places_.size() > 1 && places_.front().line < first_line()) places_.pop_front();
}

std::uint64_t Emulator::Body::fed_since(std::uint64_t line) const {
  if (line == 0) return emulated_;
  const auto place = std::find_if(places_.begin(), places_.end(), [&](const Place& p) { return p.line >= line; });
  return place == places_.end() ? 0 : emulated_ - place->bytes;
}

const OutputLine& Emulator::Body::line(std::uint64_t number) {
  if (number >= scrolled_) {
    if (screen_revision_ != revision_) screen_ = grid_.read_screen();
    screen_revision_ = revision_;
    return screen_[number - scrolled_];
  }
  catch_up();
  static const OutputLine empty;
  const auto first = scrolled_ - scrollback_.size();
  return number < first ? empty : scrollback_[number - first];
}

void Emulator::Body::hold_lines() {
  const auto rows = static_cast<std::size_t>(grid_.rows());
  const auto room = kHeldBytes / (kBytesOfCell * static_cast<std::size_t>(grid_.columns()));
  // One scroll command moves by up to a screen.
  held_ = static_cast<unsigned>(std::max(2 * rows + 64, std::min(room, most_lines_ + rows)));
  grid_.hold(held_);
}

void Emulator::Body::scrolled(unsigned lines) {
  if (grid_.alternate()) return;
  scrolled_ += lines;
  pending_ += lines;
  if (held_ >= most_lines_) {
    pending_ = std::min(pending_, held_);  // libtsm has dropped the oldest
  } else if (pending_ + static_cast<unsigned>(grid_.rows()) >= held_) {
    catch_up();
  }
}

void Emulator::Body::catch_up() {
  if (pending_ == 0) return;
  if (pending_ >= most_lines_) {
    scrollback_.clear();
    scrollback_bytes_ = 0;
  }
  auto lines = grid_.take_scrolled(static_cast<unsigned>(std::min<std::size_t>(pending_, most_lines_)));
  pending_ = 0;
  keep(std::move(lines));
}

void Emulator::Body::keep(std::vector<OutputLine> lines) {
  for (auto& line : lines) {
    scrollback_bytes_ += line.memory();
    scrollback_.push_back(std::move(line));
  }
  while (scrollback_.size() > most_lines_ || scrollback_bytes_ > kMostScrollbackBytes) drop_oldest();
}

void Emulator::Body::drop_oldest() {
  scrollback_bytes_ -= scrollback_.front().memory();
  scrollback_.pop_front();
}

void Emulator::Body::resize(int columns, int rows) {
  settle();
  columns = clamped_columns(columns);
  rows = clamped_rows(rows);
  if (columns == grid_.columns() && rows == grid_.rows()) return;
  catch_up();
  // libtsm's own resizing moves the cursor and the rows, with the whole screen as margins.
  const bool origin = grid_.has(TSM_SCREEN_REL_ORIGIN);
  if (origin) grid_.clear_flag(TSM_SCREEN_REL_ORIGIN);
  grid_.reset_margins();
  if (rows < grid_.rows()) {
    shrink(columns, rows);
  } else {
    grow(columns, rows);
  }
  if (origin) grid_.set_flag(TSM_SCREEN_REL_ORIGIN);
  margin_top_ = 0;
  margin_bottom_ = rows - 1;
  last_adjacent_ = false;
  hold_lines();
  ++revision_;
}

void Emulator::Body::set_scrollback(std::size_t lines) {
  settle();
  catch_up();
  most_lines_ = lines;
  while (scrollback_.size() > most_lines_) drop_oldest();
  hold_lines();
  ++revision_;
}

int Emulator::Body::last_used_row() {
  const auto lines = grid_.read_screen();
  int last = std::min(grid_.y(), grid_.rows() - 1);
  for (int y = last + 1; y < grid_.rows(); ++y) {
    if (!lines[static_cast<std::size_t>(y)].text.empty()) last = y;
  }
  return last;
}

// libtsm removes rows at the top even if the bottom is empty: empty rows are moved to the top first.
void Emulator::Body::shrink(int columns, int rows) {
  const int lost = grid_.rows() - rows;
  if (grid_.alternate()) {
    grid_.set_size(columns, rows);
    return;
  }
  const int spare = std::min(grid_.rows() - 1 - last_used_row(), lost);
  const int x = std::min(grid_.x(), grid_.columns() - 1);
  const int y = grid_.y() + spare;
  if (spare > 0) grid_.scroll_down(spare);
  grid_.move_to(x, y);
  grid_.set_size(columns, rows);
  auto lines = grid_.take_scrolled(static_cast<unsigned>(lost));
  lines.erase(lines.begin(), lines.begin() + std::min<std::ptrdiff_t>(spare, std::ssize(lines)));
  scrolled_ += lines.size();
  keep(std::move(lines));
}

// Rows that had to leave the screen come back.
void Emulator::Body::grow(int columns, int rows) {
  const int gained = rows - grid_.rows();
  grid_.set_size(columns, rows);
  const int back = std::min(gained, static_cast<int>(scrollback_.size()));
  if (back <= 0 || grid_.alternate()) return;
  const int x = std::min(grid_.x(), grid_.columns() - 1);
  const int y = grid_.y() + back;
  grid_.scroll_down(back);
  for (int row = back - 1; row >= 0; --row) {
    grid_.move_to(0, row);
    grid_.write(scrollback_.back());
    scrollback_bytes_ -= scrollback_.back().memory();
    scrollback_.pop_back();
    --scrolled_;
  }
  grid_.move_to(x, y);
}

}  // namespace gputop::term
