#include "gputop/config/advisor_file.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>

#include "config/yaml_document.hpp"
#include "gputop/advisor/metrics.hpp"
#include "gputop/advisor/rules.hpp"
#include "gputop/config/assets.hpp"
#include "gputop/config/text_file.hpp"
#include "gputop/core/closest_word.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/parse.hpp"

namespace gputop {
namespace {

std::optional<double> number_in(const YAML::Node& node) {
  if (!node.IsScalar()) return std::nullopt;
  const auto& text = node.Scalar();
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string shown(const YAML::Node& node) {
  return node.IsScalar() ? '"' + printable(node.Scalar().substr(0, 60)) + '"'
         : node.IsMap()  ? "a mapping"
         : node.IsNull() ? "nothing"
                         : "a list";
}

std::optional<bool> switch_in(const YAML::Node& node) {
  if (!node.IsScalar()) return std::nullopt;
  const auto is = [&](auto... words) { return ((node.Scalar() == words) || ...); };
  if (is("on", "true", "yes")) return true;
  if (is("off", "false", "no")) return false;
  return std::nullopt;
}

class AdvisorReader {
 public:
  AdvisorReader(std::string_view file, LoadedAdvisor& into) : file_(file), into_(into) {}

  void read(const YAML::Node& root) {
    for (const auto& pair : root) {
      const auto key = pair.first.Scalar();
      if (key == "thresholds") read_thresholds(pair.second);
      if (key == "off") read_off(pair.second);
      if (key == "rules") read_rules(pair.second);
      if (key == "expect") read_expectations(pair.second);
    }
  }

 private:
  void complain(const YAML::Node& node, std::string text) {
    into_.problems.push_back({file_, node.Mark().line + 1, std::move(text)});
  }

  template <class Entries>
  static std::string hint(std::string_view word, const Entries& entries, std::string_view Entries::value_type::*name) {
    std::vector<std::string_view> names;
    for (const auto& entry : entries) names.push_back(entry.*name);
    return did_you_mean(word, names);
  }

  void read_thresholds(const YAML::Node& node) {
    if (node.IsNull()) return;
    if (!node.IsMap()) return complain(node, "thresholds: " + shown(node) + " is not a list of \"name: number\" lines");
    for (const auto& pair : node) {
      const auto name = pair.first.Scalar();
      const auto entry =
          std::find_if(kThresholds.begin(), kThresholds.end(), [&](const auto& known) { return known.name == name; });
      if (entry == kThresholds.end()) {
        complain(pair.first,
                 "thresholds: unknown name \"" + printable(name) + '"' +
                     hint(name, std::vector(kThresholds.begin(), kThresholds.end()), &ThresholdEntry::name));
        continue;
      }
      const auto value = number_in(pair.second);
      if (!value || *value < 0) {
        complain(pair.second.IsNull() ? pair.first : pair.second, "thresholds: " + name + ": " + shown(pair.second) +
                                                                      " is not a number (" + std::string{entry->unit} +
                                                                      ") of 0 or more");
        continue;
      }
      if (entry->unit == "%" && *value > 100) {
        complain(pair.second, "thresholds: " + name + ": " + shown(pair.second) + " is more than 100 %");
        continue;
      }
      into_.settings.thresholds.*(entry->member) = *value;
    }
  }

  static bool is_own(std::string_view id) {
    return std::any_of(all_rules().begin(), all_rules().end(), [&](const auto& rule) { return rule.id == id; });
  }

  void switch_off(const YAML::Node& node) {
    const auto id = node.IsScalar() ? node.Scalar() : std::string{};
    if (!is_own(id)) {
      const std::vector entries(all_rules().begin(), all_rules().end());
      complain(node, "off: no rule is called " + shown(node) + hint(id, entries, &RuleEntry::id));
      return;
    }
    into_.settings.off.insert(id);
  }

  void read_off(const YAML::Node& node) {
    if (node.IsNull()) return;
    if (!node.IsSequence()) return complain(node, "off: " + shown(node) + " is not a list of rules (try [low_memory])");
    for (const auto& item : node) switch_off(item);
  }

  // metric: [low, high], or metric: low.
  void read_expectations(const YAML::Node& node) {
    if (node.IsNull()) return;
    if (!node.IsMap())
      return complain(node, "expect: " + shown(node) + " is not a list of \"metric: [low, high]\" lines");
    for (const auto& pair : node) {
      const auto name = pair.first.Scalar();
      if (find_metric(name) == nullptr) {
        const std::vector entries(metrics().begin(), metrics().end());
        complain(pair.first,
                 "expect: no metric is called \"" + printable(name) + '"' + hint(name, entries, &MetricEntry::name));
        continue;
      }
      const auto& range = pair.second;
      const bool two = range.IsSequence() && range.size() == 2;
      const auto low = number_in(two ? range[0] : range);
      const double high = two ? number_in(range[1]).value_or(-HUGE_VAL) : HUGE_VAL;
      if (!low || high < *low) {
        complain(pair.first, "expect: " + name + ": " + shown(range) + " is not a range: try [300, 500]");
        continue;
      }
      auto& expected = into_.settings.expected;
      std::erase_if(expected, [&](const Expectation& other) { return other.metric == name; });  // a later file wins
      expected.push_back({name, *low, high});
    }
  }

  // A list of rules, or a mapping from their ids; the latter may also switch gputop's own rules on and off.
  void read_rules(const YAML::Node& node) {
    if (node.IsNull()) return;
    if (node.IsSequence()) {
      for (const auto& item : node) {
        if (!item.IsMap()) {
          complain(item, "rules: " + shown(item) + " is not a rule (try metric, above, for and message)");
          continue;
        }
        read_rule(item, item, "own_" + std::to_string(into_.settings.custom.size() + 1));
      }
      return;
    }
    if (!node.IsMap()) return complain(node, "rules: " + shown(node) + " is not a list of rules");
    for (const auto& pair : node) {
      if (const auto on = switch_in(pair.second)) {
        if (*on)
          into_.settings.off.erase(pair.first.Scalar());
        else
          switch_off(pair.first);
      } else if (pair.second.IsMap()) {
        read_rule(pair.first, pair.second, pair.first.Scalar());
      } else {
        complain(pair.first, "rules: " + printable(pair.first.Scalar()) + ": " + shown(pair.second) +
                                 " is neither on, off nor a rule");
      }
    }
  }

  void read_rule(const YAML::Node& place, const YAML::Node& node, std::string id) {
    CustomRule rule{.id = std::move(id)};
    bool has_limit = false;
    bool good = true;
    for (const auto& pair : node) {
      const auto key = pair.first.Scalar();
      const auto wrong = read_rule_key(key, pair.second, rule, has_limit);
      if (wrong.empty()) continue;
      complain(pair.first, "rules: " + printable(key) + ": " + wrong);
      good = false;
    }
    if (good && rule.metric.empty()) complain(place, "rules: " + printable(rule.id) + ": has no metric");
    if (good && !has_limit) complain(place, "rules: " + printable(rule.id) + ": has neither above nor below");
    if (!good || rule.metric.empty() || !has_limit) return;
    if (is_own(rule.id))
      return complain(place, "rules: \"" + rule.id + "\" is one of gputop's own rules: choose another name");
    if (rule.message.empty()) rule.message = rule.metric + (rule.above ? " is high" : " is low");
    auto& custom = into_.settings.custom;
    std::erase_if(custom, [&](const CustomRule& other) { return other.id == rule.id; });  // a later file wins
    custom.push_back(std::move(rule));
  }

  // "" if all is well, otherwise what is wrong.
  std::string read_rule_key(const std::string& key, const YAML::Node& node, CustomRule& rule, bool& has_limit) {
    if (!node.IsScalar()) return shown(node) + " is not a value";
    const auto& text = node.Scalar();
    if (key == "id") {
      if (text.empty()) return "is empty";
      rule.id = text;
    } else if (key == "metric") {
      if (find_metric(text) == nullptr) {
        const std::vector entries(metrics().begin(), metrics().end());
        return "no metric is called " + shown(node) + hint(text, entries, &MetricEntry::name);
      }
      rule.metric = text;
    } else if (key == "above" || key == "below") {
      const auto limit = number_in(node);
      if (!limit) return shown(node) + " is not a number";
      if (has_limit) return "there is a limit already: a rule has above or below, not both";
      rule.limit = *limit;
      rule.above = key == "above";
      has_limit = true;
    } else if (key == "for") {
      const auto hold = parse_duration(text);
      if (!hold) return hold.error().message;
      rule.hold = *hold;
    } else if (key == "message") {
      rule.message = printable(text);
    } else if (key == "severity") {
      for (const auto severity : {Severity::kInfo, Severity::kWarning, Severity::kError}) {
        if (to_string(severity) == text) return rule.severity = severity, "";
      }
      return shown(node) + " is neither info, warning nor error";
    } else {
      static constexpr std::array<std::string_view, 7> kKeys{"id",  "metric",  "above",   "below",
                                                             "for", "message", "severity"};
      return "is no key of a rule" + did_you_mean(key, kKeys);
    }
    return {};
  }

  std::string file_;
  LoadedAdvisor& into_;
};

}  // namespace

LoadedAdvisor parse_advisor(std::string_view text, std::string_view file, AdvisorSettings base) {
  LoadedAdvisor loaded{.settings = std::move(base), .problems = {}};
  // Syntax, size and depth are checked there; the nested part is read here.
  const auto outline = read_yaml(text, file);
  loaded.problems = outline.problems;
  if (outline.entries.empty()) return loaded;
  try {
    const auto root = YAML::Load(std::string{text});
    AdvisorReader reader{file, loaded};
    reader.read(root);
    if (const auto section = root["advisor"]; section && section.IsMap()) reader.read(section);
  } catch (const YAML::Exception& error) {
    loaded.problems.push_back(
        {std::string{file}, error.mark.is_null() ? 0 : error.mark.line + 1, printable(error.msg)});
  }
  return loaded;
}

LoadedAdvisor load_advisor(const Environment& environment, const std::filesystem::path& given) {
  LoadedAdvisor loaded;
  const auto lay_over = [&](std::string_view text, const std::string& file) {
    auto next = parse_advisor(text, file, std::move(loaded.settings));
    loaded.settings = std::move(next.settings);
    loaded.problems.insert(loaded.problems.end(), std::make_move_iterator(next.problems.begin()),
                           std::make_move_iterator(next.problems.end()));
  };
  if (const auto own = asset("configs/advisor.yaml")) lay_over(*own, "advisor.yaml");
  const auto directory = config_directory(environment);
  const auto read_file = [&](const std::filesystem::path& path) {
    const auto text = read_text_file(path, kLargestYaml);
    if (text) {
      lay_over(*text, path.filename().string());
    } else if (text.error().kind != Error::Kind::kNotFound) {
      loaded.problems.push_back({path.filename().string(), 0, text.error().message + "; the defaults are used"});
    }
  };
  if (!directory.empty()) read_file(directory / "advisor.yaml");
  if (!given.empty()) read_file(given);
  return loaded;
}

}  // namespace gputop
