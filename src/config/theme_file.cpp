// Theme YAML: see theme_file.hpp.
#include "gputop/config/theme_file.hpp"

#include <array>
#include <charconv>
#include <filesystem>
#include <utility>

#include "config/yaml_document.hpp"
#include "gputop/core/closest_word.hpp"
#include "gputop/core/format.hpp"

namespace gputop {
namespace {

struct NamedRole {
  Role role;
  std::string_view key;
};
constexpr std::array kRoles{
#define X(enumerator, key) NamedRole{Role::enumerator, key},
    GPUTOP_THEME_ROLES(X)
#undef X
};

std::optional<Role> find_role(std::string_view key) {
  for (const auto& [role, name] : kRoles) {
    if (name == key) return role;
  }
  return std::nullopt;
}

std::string unknown_theme_key(std::string_view key) {
  std::vector<std::string_view> names{"name", "description", "light", "inherits"};
  for (const auto& [role, name] : kRoles) names.push_back(name);
  return "unknown key \"" + printable(key) + '"' + did_you_mean(key, names);
}

Result<std::optional<Rgb>> parse_color(std::string_view text) {
  const Error wrong{Error::Kind::kInvalid,
                    '"' + printable(text.substr(0, 40)) + "\" is not a color (try \"#88c0d0\")"};
  if (text == "default") return std::optional<Rgb>{};
  if (!text.starts_with('#')) return wrong;
  text.remove_prefix(1);
  unsigned number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (failure != std::errc{} || end != text.data() + text.size()) return wrong;
  const auto byte = [](unsigned value) { return static_cast<std::uint8_t>(value & 0xFFU); };
  if (text.size() == 6) return std::optional{Rgb{byte(number >> 16U), byte(number >> 8U), byte(number)}};
  constexpr unsigned kTwice = 0x11;  // "#fff" is "#ffffff"
  if (text.size() == 3) {
    return std::optional{
        Rgb{byte((number >> 8U) * kTwice), byte((number >> 4U & 0xFU) * kTwice), byte((number & 0xFU) * kTwice)}};
  }
  return wrong;
}

std::string_view next_word(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  const std::size_t length = std::min(text.find(' '), text.size());
  const auto word = text.substr(0, length);
  text.remove_prefix(length);
  return word;
}

bool* attribute(Style& style, std::string_view word) {
  if (word == "bold") return &style.bold;
  if (word == "dim") return &style.dim;
  if (word == "underline") return &style.underline;
  if (word == "inverse") return &style.inverse;
  return nullptr;
}

// What is wrong with the entry; nullopt: nothing.
std::optional<std::string> take(const YamlEntry& entry, Theme& theme) {
  const bool scalar = entry.value.kind == YamlValue::Kind::kScalar;
  if (entry.key == "inherits") return std::nullopt;  // theme_base() has read it
  if (entry.key == "light") {
    if (entry.value.scalar != "true" && entry.value.scalar != "false") return entry.key + ": is neither true nor false";
    theme.light = entry.value.scalar == "true";
    return std::nullopt;
  }
  const auto role = find_role(entry.key);
  const bool text = entry.key == "name" || entry.key == "description";
  if (!role && !text) return unknown_theme_key(entry.key);
  if (entry.value.kind == YamlValue::Kind::kNothing)
    return entry.key + ": has no value (colors need quotes: \"#88c0d0\")";
  if (!scalar) return entry.key + ": must be one line of text";
  if (text) {
    (entry.key == "name" ? theme.name : theme.description) = printable(entry.value.scalar);
    return std::nullopt;
  }
  const auto style = parse_style(entry.value.scalar);
  if (!style) return entry.key + ": " + style.error().message;
  theme[*role] = *style;
  return std::nullopt;
}

}  // namespace

Result<Style> parse_style(std::string_view text) {
  Style style;
  bool colored = false;
  if (text.find_first_not_of(' ') == std::string_view::npos) {
    return Error{Error::Kind::kInvalid, "is empty (try \"default\" or \"#88c0d0\")"};
  }
  for (auto word = next_word(text); !word.empty(); word = next_word(text)) {
    if (bool* on = attribute(style, word)) {
      *on = true;
      continue;
    }
    const bool ground = word == "on";
    if (ground) word = next_word(text);
    const auto color = parse_color(word);
    if (!color) return color.error();
    if (ground) {
      style.background = *color;
    } else if (std::exchange(colored, true)) {
      return Error{Error::Kind::kInvalid, "has two colors (write \"#fff on #222\" for a background)"};
    } else {
      style.foreground = *color;
    }
  }
  return style;
}

std::optional<std::string> theme_base(std::string_view text) {
  for (const auto& entry : read_yaml(text, "").entries) {
    if (entry.key == "inherits" && !entry.value.scalar.empty()) return entry.value.scalar;
  }
  return std::nullopt;
}

LoadedTheme parse_theme(std::string_view text, std::string_view file, const Theme& base) {
  YamlDocument document = read_yaml(text, file);
  LoadedTheme loaded{base, std::move(document.problems)};
  loaded.theme.name = std::filesystem::path{file}.stem().string();
  loaded.theme.description.clear();
  for (const auto& entry : document.entries) {
    if (auto wrong = take(entry, loaded.theme)) {
      loaded.problems.push_back({std::string{file}, entry.line, std::move(*wrong)});
    }
  }
  return loaded;
}

}  // namespace gputop
