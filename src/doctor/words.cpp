// Formats the doctor's results for people and for programs.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "gputop/core/format.hpp"
#include "gputop/doctor/doctor.hpp"

namespace gputop::doctor {
namespace {

std::string_view sign(Level level) {
  switch (level) {
    case Level::kOk: return "✓ ok      ";
    case Level::kUnknown: return "– unknown ";
    case Level::kWarn: return "▲ warning ";
    case Level::kBad: return "✗ bad     ";
  }
  return {};
}

std::size_t count(std::span<const Examined> results, Level level) {
  return static_cast<std::size_t>(
      std::count_if(results.begin(), results.end(), [&](const auto& one) { return one.verdict.level == level; }));
}

std::string padded(std::string_view text, std::size_t width) {
  std::string result{text};
  result.resize(std::max(width, text.size() + 1), ' ');
  return result;
}

// Checks that are unknown for the same reason share a line.
std::string unknown_lines(std::span<const Examined> results) {
  std::vector<std::pair<std::string, std::string>> reasons;  // reason → titles, in order
  for (const auto& [id, title, verdict] : results) {
    if (verdict.level != Level::kUnknown) continue;
    const auto known =
        std::find_if(reasons.begin(), reasons.end(), [&found = verdict.found](const auto& one) { return one.first == found; });
    if (known == reasons.end()) {
      reasons.emplace_back(verdict.found, title);
    } else {
      known->second += ", " + std::string{title};
    }
  }
  std::string text = reasons.empty() ? "" : "\n";
  for (const auto& [reason, titles] : reasons) {
    text += std::string{sign(Level::kUnknown)} + printable(reason) + ": " + titles + '\n';
  }
  return text;
}

}  // namespace

std::string as_text(std::span<const Examined> results) {
  constexpr std::size_t kTitleWidth = 33;
  std::string text =
      std::to_string(count(results, Level::kBad)) + " bad, " + std::to_string(count(results, Level::kWarn)) +
      (count(results, Level::kWarn) == 1 ? " warning, " : " warnings, ") + std::to_string(count(results, Level::kOk)) +
      " ok, " + std::to_string(count(results, Level::kUnknown)) + " unknown\n";
  constexpr std::array kKnown{Level::kBad, Level::kWarn, Level::kOk};
  for (const auto level : kKnown) {
    if (count(results, level) > 0) text += '\n';
    for (const auto& [id, title, verdict] : results) {
      if (verdict.level != level) continue;
      text += std::string{sign(level)} + padded(title, kTitleWidth) + printable(verdict.found) + '\n';
      if (!verdict.cost.empty()) text += "            costs   " + verdict.cost + '\n';
      if (!verdict.fix.empty())
        text += "            fix     " + verdict.fix + (verdict.needs_root ? "   (as root)" : "") + '\n';
    }
  }
  return text + unknown_lines(results);
}

std::string as_json(std::span<const Examined> results) {
  using Json = nlohmann::ordered_json;
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(printable(text));
  };
  Json checks = Json::array();
  for (const auto& [id, title, verdict] : results) {
    checks.push_back({{"id", id},
                      {"title", title},
                      {"level", to_string(verdict.level)},
                      {"found", text_or_null(verdict.found)},
                      {"cost", text_or_null(verdict.cost)},
                      {"fix", text_or_null(verdict.fix)},
                      {"fix_needs_root", verdict.fix.empty() ? Json(nullptr) : Json(verdict.needs_root)}});
  }
  const Json document{{"schema", "gputop.doctor/1"},
                      {"bad", count(results, Level::kBad)},
                      {"warn", count(results, Level::kWarn)},
                      {"ok", count(results, Level::kOk)},
                      {"unknown", count(results, Level::kUnknown)},
                      {"checks", std::move(checks)}};
  return harmless_json(document.dump(2)) + '\n';
}

}  // namespace gputop::doctor
