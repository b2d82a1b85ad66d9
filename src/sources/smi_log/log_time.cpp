#include "sources/smi_log/log_time.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "gputop/core/characters.hpp"
#include "gputop/core/scan.hpp"
#include "sources/smi_log/cell.hpp"

namespace gputop::smi {
namespace {

using namespace std::chrono;

// Splits a time into runs of digits, words, and the single characters between them.
struct Piece {
  std::string_view text;
  [[nodiscard]] bool number() const { return is_digit(first_char(text)); }
  [[nodiscard]] bool word() const { return is_alpha(first_char(text)); }
  [[nodiscard]] bool is(char sign) const { return text.size() == 1 && first_char(text) == sign; }
  [[nodiscard]] int value() const {
    int value = -1;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }
};

std::vector<Piece> pieces_of(std::string_view text) {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < text.size();) {
    const auto kind = is_digit(char_at(text, i)) ? is_digit : is_alpha(char_at(text, i)) ? is_alpha : nullptr;
    std::size_t end = i + 1;
    while (kind != nullptr && end < text.size() && kind(char_at(text, end))) ++end;
    pieces.push_back({slice(text, i, end - i)});
    i = end;
  }
  return pieces;
}

// 1 to 12; 0: not a month.
int month_of(std::string_view word) {
  static constexpr std::array<std::string_view, 12> kMonths{"jan", "feb", "mar", "apr", "may", "jun",
                                                            "jul", "aug", "sep", "oct", "nov", "dec"};
  std::string start{slice(word, 0, 3)};
  for (char& c : start) c = static_cast<char>(c | 0x20);
  const auto found = std::find(kMonths.begin(), kMonths.end(), start);
  return found == kMonths.end() ? 0 : static_cast<int>(found - kMonths.begin()) + 1;
}

class TimeReader {
 public:
  explicit TimeReader(std::string_view text) : pieces_(pieces_of(text)) {}

  std::optional<WallTime> read() {
    while (at_ < pieces_.size()) {
      if (!take_clock() && !take_date() && !take_word() && !take_year()) ++at_;
    }
    if (wrong_ || !clock_) return std::nullopt;
    WallTime day{};
    if (year_ >= 0 || month_ > 0) {
      const year_month_day date{std::chrono::year{year_ < 0 ? 1970 : year_},
                                std::chrono::month{static_cast<unsigned>(month_)},
                                std::chrono::day{static_cast<unsigned>(day_)}};
      if (!date.ok()) return std::nullopt;
      day = WallTime{sys_days{date}};
    }
    return day + *clock_ - zone_;
  }

 private:
  [[nodiscard]] const Piece* piece(std::size_t ahead) const {
    return at_ + ahead < pieces_.size() ? &pieces_[at_ + ahead] : nullptr;
  }
  [[nodiscard]] bool number(std::size_t ahead, std::size_t most = 2) const {
    const auto* p = piece(ahead);
    return p && p->number() && p->text.size() <= most;
  }
  [[nodiscard]] bool sign(std::size_t ahead, char c) const {
    const auto* p = piece(ahead);
    return p && p->is(c);
  }
  [[nodiscard]] int value(std::size_t ahead) const { return piece(ahead)->value(); }

  // 12:00[:00[.123]]
  bool take_clock() {
    if (!number(0) || !sign(1, ':') || !number(2)) return false;
    if (clock_) wrong_ = true;
    const bool has_seconds = sign(3, ':') && number(4);
    clock_ = hours{value(0)} + minutes{value(2)} + seconds{has_seconds ? value(4) : 0};
    if (value(0) > 24 || value(2) > 59 || (has_seconds && value(4) > 60)) wrong_ = true;
    at_ += has_seconds ? 5 : 3;
    if (has_seconds && (sign(0, '.') || sign(0, ',')) && number(1, 20)) {
      const auto digits = std::string{piece(1)->text} + "000";
      for (std::size_t i = 0, weight = 100; i < 3; ++i, weight /= 10)
        *clock_ += milliseconds{static_cast<std::int64_t>(weight) * (char_at(digits, i) - '0')};
      at_ += 2;
    }
    take_zone();
    return true;
  }

  // +02:00, -0700
  void take_zone() {
    if (sign(0, ' ') && (sign(1, '+') || sign(1, '-'))) ++at_;
    if ((!sign(0, '+') && !sign(0, '-')) || !number(1, 4)) return;
    const bool colon = piece(1)->text.size() == 2 && sign(2, ':') && number(3);
    const int both = piece(1)->text.size() == 4 ? value(1) : value(1) * 100 + (colon ? value(3) : 0);
    zone_ = (hours{both / 100} + minutes{both % 100}) * (sign(0, '-') ? -1 : 1);
    at_ += colon ? 4 : 2;
  }

  // Year first or last. The day comes before the month after a "." and if the other number cannot be a day.
  bool take_date() {
    for (const char c : {'-', '/', '.'}) {
      if (!number(0, 4) || !sign(1, c) || !number(2) || !sign(3, c) || !number(4, 4)) continue;
      if (year_ >= 0) wrong_ = true;
      const bool year_first = piece(0)->text.size() == 4;
      year_ = value(year_first ? 0 : 4);
      if (!year_first && piece(4)->text.size() == 2) year_ += 2000;
      int first = value(year_first ? 2 : 0);
      int second = value(year_first ? 4 : 2);
      if (!year_first && (c == '.' || first > 12)) std::swap(first, second);
      month_ = first;
      day_ = second;
      at_ += 5;
      return true;
    }
    return false;
  }

  // "May  1", "1 May", PM; the weekday, "T" and time zone names are ignored.
  bool take_word() {
    if (!piece(0)->word()) return false;
    const auto word = piece(0)->text;
    const bool before = word == "AM" || word == "am";
    const bool after = word == "PM" || word == "pm";
    if ((before || after) && clock_) {
      const bool twelve = *clock_ >= hours{12} && *clock_ < hours{13};
      if (before && twelve) *clock_ -= hours{12};
      if (after && !twelve && *clock_ < hours{12}) *clock_ += hours{12};
    } else if (const int month = month_of(word); month > 0) {
      month_ = month;
      for (std::size_t ahead = 1; ahead < 4 && day_ == 0; ++ahead) {
        if (number(ahead) && !sign(ahead + 1, ':')) {
          day_ = value(ahead);
          at_ += ahead;
        } else if (piece(ahead) == nullptr || !piece(ahead)->is(' ')) {
          break;
        }
      }
    } else if (word.size() > 9) {
      wrong_ = true;
    }
    ++at_;
    return true;
  }

  // "2024" at the end, or the day before its month.
  bool take_year() {
    if (!piece(0)->number()) return false;
    if (piece(0)->text.size() == 4 && year_ < 0)
      year_ = value(0);
    else if (piece(0)->text.size() <= 2 && day_ == 0)
      day_ = value(0);
    else
      wrong_ = true;
    ++at_;
    return true;
  }

  std::vector<Piece> pieces_;
  std::size_t at_ = 0;
  int year_ = -1;
  int month_ = 0;
  int day_ = 0;
  std::optional<milliseconds> clock_;
  minutes zone_{0};
  bool wrong_ = false;
};

// Seconds; values too large for that are milliseconds, microseconds or nanoseconds.
std::optional<WallTime> counted_time(std::string_view text) {
  double since = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), since);
  if (problem != std::errc{} || end != text.data() + text.size() || !(since >= 0)) return std::nullopt;
  constexpr double kTooMany = 1e11;  // seconds: five thousand years
  for (int i = 0; i < 3 && since >= kTooMany; ++i) since /= 1000;
  if (since >= kTooMany) return std::nullopt;
  return WallTime{milliseconds{std::llround(since * 1000)}};
}

// From 1970 (a day earlier in zones east of Greenwich) to 2112: a clock in the year 1 or 4048 was never set, and its
// nanoseconds would not fit.
bool is_of_our_age(WallTime wall) {
  return wall.time_since_epoch() > -hours{24} &&
         wall.time_since_epoch() < std::chrono::duration_cast<milliseconds>(kLongestDuration);
}

}  // namespace

std::optional<WallTime> parse_time(std::string_view text) {
  while (!text.empty() && (first_char(text) == ' ' || first_char(text) == '\t')) skip_front(text, 1);
  while (!text.empty() && (last_char(text) == ' ' || last_char(text) == '\t' || last_char(text) == '\r'))
    skip_back(text, 1);
  if (text.empty() || text.size() > 64) return std::nullopt;
  auto wall = counted_time(text);
  if (!wall) wall = TimeReader{text}.read();
  return wall && is_of_our_age(*wall) ? wall : std::nullopt;
}

std::optional<WallTime> time_line(std::string_view line) {
  constexpr std::string_view kAround = " \t\r[](){}#=-*<>|\"'";
  const auto strip = [&] {
    const auto begin = line.find_first_not_of(kAround);
    if (begin == std::string_view::npos) return line = {};
    return line = slice(line, begin, line.find_last_not_of(kAround) - begin + 1);
  };
  if (line.size() > 160 || strip().empty()) return std::nullopt;
  for (const std::string_view word : {"timestamp", "time", "date", "at"}) {
    const bool leads = line.size() > word.size() && std::equal(word.begin(), word.end(), line.begin(),
                                                               [](char a, char b) { return a == (b | 0x20); });
    if (!leads || is_alpha(char_at(line, word.size()))) continue;
    skip_front(line, word.size());
    skip_front(line, std::min(line.find_first_not_of(" :="), line.size()));
    break;
  }
  if (strip().size() < 7 || line.size() > 48) return std::nullopt;
  if (line.find(':') == std::string_view::npos) {
    const bool digits = std::all_of(line.begin(), line.end(), [](char c) { return is_digit(c) || c == '.'; });
    const auto time = digits ? parse_time(line) : std::nullopt;
    return time && line.size() >= 10 && *time > WallTime{years{20}} ? time : std::nullopt;
  }
  static constexpr std::array<std::string_view, 11> kWords{"sun", "mon", "tue", "wed", "thu", "fri",
                                                           "sat", "am",  "pm",  "t",   "z"};
  for (const auto& piece : pieces_of(line)) {
    if (!piece.word()) {
      if (!piece.number() && std::string_view{" :/-.,+()"}.find(piece.text) == std::string_view::npos)
        return std::nullopt;
      continue;
    }
    const bool zone = piece.text.size() <= 5 &&
                      std::all_of(piece.text.begin(), piece.text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    std::string word{slice(piece.text, 0, 3)};
    for (char& c : word) c = static_cast<char>(c | 0x20);
    const bool known = month_of(piece.text) > 0 || std::find(kWords.begin(), kWords.end(), word) != kWords.end();
    if ((!known && !zone) || piece.text.size() > 9) return std::nullopt;
  }
  return parse_time(line);
}

std::optional<WallTime> LineClock::read(std::string_view line) {
  auto time = time_line(line);
  if (!time) {
    constexpr std::size_t kLongestDay = 32;
    while (!line.empty() && (last_char(line) == '\r' || last_char(line) == ' ')) skip_back(line, 1);
    if (line.size() > kLongestDay || line.find(':') != std::string_view::npos) return std::nullopt;
    const auto day = time_line(std::string{line} + " 00:00:00");
    if (day && *day > WallTime{hours{48}}) day_ = day;
    return std::nullopt;
  }
  if (*time >= WallTime{hours{48}}) return time;
  if (day_) return *day_ + time->time_since_epoch();
  *time += days_;
  if (last_ && *last_ - *time > hours{12}) {
    days_ += hours{24};
    *time += hours{24};
  }
  last_ = time;
  return time;
}

std::optional<WallTime> LogClock::read(std::string_view text) {
  auto wall = parse_time(text);
  if (!wall || text.find(':') == std::string_view::npos || *wall >= WallTime{hours{48}}) return wall;
  *wall += days_;
  if (last_ && *last_ - *wall > hours{12}) {
    days_ += hours{24};
    *wall += hours{24};
  }
  last_ = wall;
  return wall;
}

}  // namespace gputop::smi
