#include <algorithm>
#include <array>
#include <cmath>

#include "gputop/core/format.hpp"
#include "gputop/core/saturate.hpp"
#include "gputop/report/plot.hpp"
#include "report/document/axis.hpp"
#include "report/figures.hpp"

namespace gputop {
namespace {

// Dots, four per character vertically and two horizontally; row 0 is the lowest.
class Dots {
 public:
  Dots(std::size_t width, std::size_t height) : width_(width), height_(height), cells_(width * height) {}

  [[nodiscard]] long columns() const { return static_cast<long>(width_) * 2; }
  [[nodiscard]] long rows() const { return static_cast<long>(height_) * 4; }

  void set(long x, long y) {
    if (x < 0 || y < 0 || x >= columns() || y >= rows()) return;
    static constexpr std::array<std::array<unsigned char, 4>, 2> kDots{
        {{0x40, 0x04, 0x02, 0x01}, {0x80, 0x20, 0x10, 0x08}}};
    const auto row = height_ - 1 - static_cast<std::size_t>(y / 4);
    cells_[row * width_ + static_cast<std::size_t>(x / 2)] |=
        kDots[static_cast<std::size_t>(x % 2)][static_cast<std::size_t>(y % 4)];
  }
  // Vertical strokes keep a steep curve connected.
  void bar(long x, long from, long to) {
    for (long y = std::min(from, to); y <= std::max(from, to); ++y) set(x, y);
  }
  [[nodiscard]] long row_of(double value, double top) const {
    const double share = top > 0 ? std::clamp(value / top, 0.0, 1.0) : 0;
    return std::lround(share * static_cast<double>(rows() - 1));
  }

  // A letter next to the end of each curve, if there are several.
  void name(long row, const std::string& letter) {
    ends_[height_ - 1 - static_cast<std::size_t>(std::clamp(row, 0L, rows() - 1) / 4)] += letter;
  }

  // One line of text for each row, starting with the scale.
  [[nodiscard]] std::string text(double top) const {
    std::string text;
    for (std::size_t row = 0; row < height_; ++row) {
      const bool middle = height_ >= 5 && row == height_ / 2;
      std::string label = row == 0 ? report::rate(top) : row + 1 == height_ ? "0" : middle ? report::rate(top / 2) : "";
      label.insert(0, label.size() < kLabel ? kLabel - label.size() : 0, ' ');
      text += label + "│";
      for (std::size_t x = 0; x < width_; ++x) {
        const unsigned dots = cells_[row * width_ + x];
        text += '\xE2';
        text += static_cast<char>(0xA0U + (dots >> 6U));
        text += static_cast<char>(0x80U + (dots & 0x3FU));
      }
      text += ends_[row] + '\n';
    }
    return text;
  }
  static constexpr std::size_t kLabel = 8;

 private:
  std::size_t width_;
  std::size_t height_;
  std::vector<unsigned char> cells_;
  std::vector<std::string> ends_ = std::vector<std::string>(height_);
};

std::string spaces(std::size_t count) {
  return std::string(count, ' ');
}

std::string axis(std::size_t width, const std::string& left, const std::string& middle, const std::string& right) {
  std::string line = spaces(Dots::kLabel) + "└";
  for (std::size_t i = 0; i < width; ++i) line += "─";
  const auto taken = left.size() + middle.size() + right.size();
  const auto room = width > taken + 1 ? width - taken : 2;
  return line + "\n" + spaces(Dots::kLabel + 1) + left + spaces(room / 2) + middle + spaces(room - room / 2) + right +
         "\n";
}

// The numbers of the events below their places.
std::string marks_row(const TimePlot& plot, std::size_t width) {
  std::string row;
  std::size_t end = 0;
  for (const auto& group : report::grouped_marks(plot, static_cast<double>(width))) {
    const auto length = static_cast<std::size_t>(std::count_if(group.label.begin(), group.label.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
    }));
    const auto at =
        std::min(saturate<std::size_t>(group.share * static_cast<double>(width)), width - std::min(width, length));
    const auto space = at > end ? at - end : end > 0 ? 1 : 0;
    row += spaces(space) + group.label;
    end += space + length;
  }
  return row.empty() ? row : " events: " + row + "\n";
}

}  // namespace

std::string braille_plot(const TimePlot& plot, std::size_t width, std::size_t height) {
  Dots dots{width, height};
  for (const auto& series : plot.series) {
    long before = -1;  // -1: no reading there
    long last = -1;
    for (long x = 0; x < dots.columns() && !series.columns.empty(); ++x) {
      const auto index = static_cast<std::size_t>(x) * series.columns.size() / static_cast<std::size_t>(dots.columns());
      const auto& column = series.columns[index];
      if (!column) {
        before = -1;
        continue;
      }
      const long row = dots.row_of(column->mean, plot.top);
      dots.bar(x, before < 0 ? row : before, row);
      before = row;
      last = row;
    }
    if (plot.series.size() > 1 && series.name.size() == 1 && last >= 0) dots.name(last, series.name);
  }
  std::string names;
  for (const auto& series : plot.series) {
    if (series.name != plot.unit) names += (names.empty() ? ": " : ", ") + series.name;
  }
  return printable(plot.title + ", " + plot.unit + names) + "\n" + dots.text(plot.top) +
         axis(width, format_duration(plot.from.time_since_epoch()),
              format_duration((plot.from + (plot.to - plot.from) / 2).time_since_epoch()),
              format_duration(plot.to.time_since_epoch())) +
         marks_row(plot, width);
}

std::string braille_plot(const BatchPlot& plot, std::size_t width, std::size_t height) {
  const auto scale = report::scale_of(plot);
  const double most = scale.batch;
  const double top = scale.value;
  Dots dots{width, height};
  const auto column = [&](double batch) { return std::lround(batch / most * static_cast<double>(dots.columns() - 1)); };
  for (long x = 0; plot.limit && x < dots.columns(); x += 2) dots.set(x, dots.row_of(*plot.limit, top));
  for (std::size_t i = 1; i < plot.line.size(); ++i) {
    const auto& from = plot.line[i - 1];
    const auto& to = plot.line[i];
    const long begin = column(from.batch);
    const long end = column(to.batch);
    for (long x = begin; x <= end; ++x) {
      const double share = end > begin ? static_cast<double>(x - begin) / static_cast<double>(end - begin) : 1;
      const auto draw = [&](double a, double b) {
        if (const double value = a + (b - a) * share; value <= top) dots.set(x, dots.row_of(value, top));
      };
      draw(from.value, to.value);
      if (x % 3 != 0) continue;  // the band is dotted
      draw(from.low, to.low);
      draw(from.high, to.high);
    }
  }
  std::string seen;
  for (const auto& point : plot.seen) {
    for (long x = -1; x <= 1; ++x)
      dots.bar(column(point.batch) + x, dots.row_of(point.value, top) - 1, dots.row_of(point.value, top) + 1);
    seen += (seen.empty() ? "" : ", ") + report::figure(point.batch) + ": " + report::rate(point.value);
  }
  std::string legend = plot.line.empty() ? "" : "the estimator's line, its band dotted";
  if (plot.limit)
    legend += std::string{legend.empty() ? "" : "; "} + "dots at " + report::figure(*plot.limit) + ": all of the GPU";
  return printable(plot.title + ", " + plot.unit) + "\n" + (legend.empty() ? "" : "(" + printable(legend) + ")\n") +
         dots.text(top) + axis(width, "batch 0", report::figure(most / 2), report::figure(most)) + "seen: " + seen +
         "\n";
}

}  // namespace gputop
