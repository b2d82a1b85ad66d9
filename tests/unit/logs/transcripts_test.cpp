// Every line of tests/transcripts, read and compared with what stands behind it. Steps and rates are counted.
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "gputop/logs/progress.hpp"

using namespace gputop;

namespace {

struct Line {
  std::string place;
  std::string text;
  std::map<std::string, std::string> expected;
};

std::string unescaped(std::string text) {
  for (auto at = text.find("\\t"); at != std::string::npos; at = text.find("\\t", at)) text.replace(at, 2, "\t");
  return text;
}

std::vector<Line> transcripts() {
  constexpr std::string_view kArrow = " ⟹ ";
  std::vector<Line> lines;
  for (const auto& entry : std::filesystem::directory_iterator{TRANSCRIPTS_DIR}) {
    if (entry.path().extension() != ".txt") continue;
    std::ifstream file{entry.path()};
    int number = 0;
    for (std::string text; std::getline(file, text);) {
      Line line{entry.path().filename().string() + ":" + std::to_string(++number), text, {}};
      if (const auto arrow = text.find(kArrow); arrow != std::string::npos) {
        line.text = text.substr(0, arrow);
        std::istringstream words{text.substr(arrow + kArrow.size())};
        line.expected["says"] = "something";
        for (std::string word; words >> word;)
          line.expected[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
      }
      line.text = unescaped(line.text);
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

std::optional<double> value_of(const Progress& progress, const std::string& what) {
  const auto number = [](auto reading) {
    return reading ? std::optional<double>{static_cast<double>(*reading)} : std::nullopt;
  };
  const auto seconds = [](const Reading<Duration>& reading) {
    return reading ? std::optional<double>{to_seconds(*reading)} : std::nullopt;
  };
  if (what == "step") return number(progress.step);
  if (what == "total") return number(progress.total);
  if (what == "epoch") return number(progress.epoch);
  if (what == "rate") return number(progress.steps_per_second);
  if (what == "samples") return number(progress.samples_per_second);
  if (what == "tokens") return number(progress.tokens_per_second);
  if (what == "loss") return number(progress.loss);
  if (what == "batch") return number(progress.batch_size);
  if (what == "rank") return number(progress.rank);
  if (what == "params") return number(progress.parameters ? progress.parameters : progress.model_parameters);
  if (what == "data") return seconds(progress.data_time);
  if (what == "eta") return seconds(progress.eta);
  if (what == "mem")
    return progress.memory ? std::optional<double>{static_cast<double>(progress.memory->value()) / (1024 * 1024)}
                           : std::nullopt;
  return std::nullopt;
}

struct Share {
  int right = 0;
  int all = 0;
  void count(bool is_right) {
    ++all;
    right += is_right ? 1 : 0;
  }
  [[nodiscard]] double value() const { return static_cast<double>(right) / all; }
};

bool matches(const std::optional<double>& value, const Line& line, const std::string& what) {
  const auto wanted = line.expected.find(what);
  if (wanted == line.expected.end()) return !value;
  if (!value) return false;
  const double number = std::stod(wanted->second);
  return std::abs(*value - number) <= 1e-3 * std::abs(number) + 1e-9;
}

}  // namespace

TEST_CASE("transcripts: at least 95 % of all steps and rates are read as they were printed", "[logs]") {
  std::map<std::string, Share> shares;
  for (const auto& line : transcripts()) {
    const auto progress = read_progress(line.text);
    const bool says = line.expected.contains("says");
    for (const std::string what : {"step", "total", "epoch", "rate", "samples", "tokens", "loss", "batch", "rank",
                                   "data", "eta", "mem", "params"}) {
      const bool none = line.expected.contains("none");
      if (none && what != "step") continue;  // a line that may say something, but no step
      const bool asked = line.expected.contains(what);
      const auto value = progress ? value_of(*progress, what) : std::nullopt;
      const bool validation = progress && (progress->phase == Phase::kValidation || progress->phase == Phase::kOther);
      const bool counts = what == "step" || what == "rate" || what == "samples" || what == "tokens";
      if (!asked && (!counts || validation)) continue;
      if (!asked && !value) continue;
      const bool right = matches(value, line, what);
      shares[what].count(right);
      shares[counts ? "steps and rates" : "the rest"].count(right);
      if (!right) {
        std::cout << line.place << ": " << what << " is " << (value ? std::to_string(*value) : "unknown") << ", "
                  << (asked ? line.expected.at(what) : "nothing") << " was said: " << line.text << "\n";
      }
    }
    if (const auto phase = line.expected.find("phase"); phase != line.expected.end()) {
      const bool right = progress && to_string(progress->phase) == phase->second;
      shares["phase"].count(right);
      if (!right)
        std::cout << line.place << ": phase is " << (progress ? to_string(progress->phase) : "none") << ": "
                  << line.text << "\n";
    }
    if (!says) {
      shares["silence"].count(!progress);
      if (progress) std::cout << line.place << ": taken for " << progress->format << ": " << line.text << "\n";
    }
  }
  for (const auto& [what, share] : shares) {
    std::cout << "transcripts: " << what << " right: " << share.right << " of " << share.all << "\n";
    CHECK(share.value() >= 0.95);
  }
  CHECK(shares["step"].all >= 150);
  CHECK(shares["rate"].all + shares["samples"].all + shares["tokens"].all > 120);
}
