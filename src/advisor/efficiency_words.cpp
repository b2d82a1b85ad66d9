#include "gputop/advisor/efficiency_words.hpp"

#include <cmath>

#include "gputop/core/format.hpp"

namespace gputop {
namespace {

// Three significant digits, and none behind the point from 100 on: "0.00231", "12.5", "1240".
std::string three_digits(double value) {
  int decimals = 2;
  for (double left = std::abs(value); left >= 10 && decimals > 0; left /= 10) --decimals;
  for (double left = std::abs(value); left > 0 && left < 1 && decimals < 8; left *= 10) ++decimals;
  return format_number(value, decimals);
}

std::string wh(double value) {
  return value < 1000 ? three_digits(value) + " Wh" : three_digits(value / 1000) + " kWh";
}

}  // namespace

std::vector<EfficiencyFigure> efficiency_figures(const EfficiencyFacts& facts) {
  std::vector<EfficiencyFigure> figures;
  if (facts.mfu) {
    const auto value = format_number(facts.mfu->value * 100, facts.mfu->value < 0.1 ? 1 : 0) + " %";
    std::string note;
    if (facts.flops_by) note = "FLOPs " + std::string{facts.flops_by->value == "counted" ? "" : "by "} + printable(facts.flops_by->value);
    if (facts.peak_by && facts.peak) {
      note += (note.empty() ? "" : ", ") + std::string{"peak "} + three_digits(facts.peak->value / 1e12) + " TFLOP/s (" +
              printable(facts.peak_by->value) + ")";
    }
    figures.push_back({"MFU", value, std::move(note), "MFU " + value});
  }
  if (facts.energy_per_1000) {
    const auto value = wh(facts.energy_per_1000->value);
    figures.push_back({"energy per 1,000 samples", value, "at the current speed and power", value + "/1,000 samples"});
  }
  if (facts.energy) {
    const auto value = wh(facts.energy->value);
    figures.push_back({"energy", value, "of the run's GPUs, since its last start", "energy " + value});
  }
  if (facts.cost) {
    const auto value = facts.cost->value >= 0.01 ? format_number(facts.cost->value, 2) : three_digits(facts.cost->value);
    figures.push_back({"cost", value, "so far, by --price", "cost " + value});
  }
  return figures;
}

std::string efficiency_in_words(const EfficiencyFacts& facts) {
  std::string text;
  for (const auto& figure : efficiency_figures(facts)) text += (text.empty() ? "" : ", ") + figure.brief;
  return text;
}

}  // namespace gputop
