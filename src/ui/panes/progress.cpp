// progress — how far the run is: epoch, step, speed, loss, time left, last checkpoint. One line at every width.
#include <algorithm>
#include <cmath>

#include "gputop/advisor/efficiency_words.hpp"
#include "gputop/app/run_now.hpp"
#include "gputop/core/format.hpp"
#include "ui/brush.hpp"
#include "ui/look.hpp"
#include "ui/trend.hpp"
#include "ui/values.hpp"

namespace gputop::ui::panes {
namespace {

struct Piece {
  ftxui::Element element;
  int width = 0;
  int rank = 0;  // the lowest stays longest
  bool shown = false;
};

constexpr int kTrend = 8;
constexpr int kShortBar = 8;  // says no percentage

Reading<double> part_of(const Reading<double>& done, const Reading<double>& all) {
  if (!done || !all || !(*all > 0)) return std::nullopt;
  return std::clamp(*done / *all, 0.0, 1.0);
}

class Pieces {
 public:
  explicit Pieces(const Look& look) : look_(look) {}

  void words(const std::string& text, Role role, int rank) {
    if (!text.empty()) pieces_.push_back({look_.say(text, role), columns_of(text), rank});
  }
  void with_bar(const std::string& text, Reading<double> share, int bar, int rank) {
    if (text.empty()) return;
    const int wide = columns_of(text);
    if (!share || bar == 0) return words(text, Role::kText, rank);
    const int percent = bar > kShortBar ? 6 : 0;  // columns
    auto filled = meter(look_.styles, {share, 0, Role::kAccent}, percent > 0 ? format_number(*share * 100, 0) + " %" : "",
                        std::max(0, percent - 1), Role::kMuted);
    pieces_.push_back({ftxui::hbox({look_.say(text + " ", Role::kText),
                                    std::move(filled) | ftxui::size(ftxui::WIDTH, ftxui::EQUAL, bar + percent)}),
                       wide + 1 + bar + percent, rank});
  }
  void with_trend(const std::string& text, const TieredSeries& series, Instant now, Role role, int rank, bool drawn) {
    if (text.empty()) return;
    if (!drawn || series.empty()) return words(text, role, rank);
    pieces_.push_back({ftxui::hbox({look_.say(text + " ", role), trend(look_, series, now, kTrend, role)}),
                       columns_of(text) + 1 + kTrend, rank});
  }

  ftxui::Element line(int width) {
    const int gap = width >= 120 ? 4 : 2;
    for (int rank = 0, used = 1; rank < 10; ++rank) {
      for (auto& piece : pieces_) {
        if (piece.rank != rank || used + piece.width + gap > width + gap - 1) continue;
        used += piece.width + gap;
        piece.shown = true;
      }
    }
    ftxui::Elements row{ftxui::text(" ")};
    for (auto& piece : pieces_) {
      if (!piece.shown) continue;
      row.push_back(std::move(piece.element));
      row.push_back(ftxui::text(std::string(static_cast<std::size_t>(gap), ' ')));
    }
    return ftxui::hbox(std::move(row));
  }

 private:
  const Look& look_;
  std::vector<Piece> pieces_;
};

// "39:45", "1:02:03": the hour only where there is one.
std::string time_left(Duration left) {
  auto text = format_duration(left);
  return text.starts_with("00:") ? text.substr(3) : text;
}

std::string clock_at(const Model& model, Duration left) {
  return format_wall(model.wall(model.now + left)).substr(11, 5);
}

}  // namespace

ftxui::Element progress(const Model& model, Look& look) {
  if (!model.run) return ftxui::emptyElement();
  const auto& run = *model.run;
  const auto& now = run.log.progress();
  const bool wide = look.width >= 130;
  Pieces pieces{look};
  const auto number = [](const Reading<std::uint64_t>& n) {
    return n ? Reading<double>{static_cast<double>(*n)} : std::nullopt;
  };
  const auto epoch_share = now.epoch && now.epochs ? part_of(*now.epoch, now.epochs) : std::nullopt;
  pieces.with_bar(format_epoch(now), epoch_share, wide ? 16 : 0, 1);
  pieces.with_bar(format_step(now), part_of(number(now.step), number(now.total)), wide ? 16 : look.width >= 100 ? 10 : look.width >= 76 ? kShortBar : 0, 2);
  if (const auto speed = last_throughput(model)) {
    pieces.with_trend(format_throughput(speed->per_second, speed->unit), run.throughput, model.now, Role::kAccent, 0,
                      wide && !run.end);
  }
  pieces.with_trend(format_loss(now), run.loss, model.now, Role::kThroughput, 3, wide && !run.end);
  if (!run.end) {
    if (is_validating(model)) pieces.words("validation", Role::kMuted, 5);
    const auto& wait = model.advice.facts.step.input_wait_share;
    if (wait || now.input_wait_share) {
      const double share = wait ? wait->value : *now.input_wait_share;
      if (share >= 0.05)
        pieces.words("waits for data " + format_number(share * 100, 0) + " %", share >= 0.2 ? Role::kWarning : Role::kText, 5);
    }
    if (now.eta) {
      const auto left = std::max(Duration{}, *now.eta - (model.now - now.at));
      pieces.words("ETA " + time_left(left) + (wide ? " (at " + clock_at(model, left) + " UTC)" : ""), Role::kText, 4);
    }
    const auto saved = run.log.checkpoint();
    if (saved) {
      pieces.words("checkpoint " + format_duration(model.now - *saved) + " ago", Role::kMuted, 6);
    } else if (now.step) {
      pieces.words("checkpoint: none yet", Role::kMuted, 7);
    }
  }
  for (const auto& figure : efficiency_figures(model.advice.facts.efficiency)) {
    pieces.words(figure.brief, Role::kText, figure.name == "MFU" ? 5 : figure.name == "cost" ? 7 : 8);
  }
  if (!now.step && !now.epoch) pieces.words(run.end ? "no progress was printed" : "no progress was printed yet", Role::kMuted, 8);
  return pieces.line(look.width);
}

}  // namespace gputop::ui::panes
