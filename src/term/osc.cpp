#include "gputop/term/osc.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "gputop/core/format.hpp"

namespace gputop::term {
namespace {

constexpr std::size_t kMostCopied = 74'000;  // bytes: xterm takes 100,000 in base64

std::string base64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string code;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    bits = bits << 8U | static_cast<unsigned char>(c);
    for (count += 8; count >= 6; count -= 6) code += kDigits[bits >> (static_cast<unsigned>(count) - 6U) & 63U];
  }
  if (count > 0) code += kDigits[bits << (6U - static_cast<unsigned>(count)) & 63U];
  while (code.size() % 4 != 0) code += '=';
  return code;
}

}  // namespace

std::optional<std::string> to_clipboard(std::string_view text) {
  if (text.size() > kMostCopied) return std::nullopt;
  return "\x1b]52;c;" + base64(text) + "\x1b\\";
}

std::string ask_background() {
  return "\x1b]11;?\x1b\\";
}

std::optional<bool> is_light(std::string_view answer) {
  const bool parts = answer.starts_with("rgb:") || answer.starts_with("rgba:");
  if (!parts && !(answer.starts_with("#") && answer.size() == 7)) return std::nullopt;
  auto rest = answer.substr(parts ? answer.find(':') + 1 : 1);
  std::array<double, 3> shares{};
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const auto digits = rest.substr(0, parts ? rest.find('/') : 2);
    if (digits.empty() || digits.size() > 4) return std::nullopt;
    unsigned value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    shares[i] = value / (std::pow(16.0, static_cast<double>(digits.size())) - 1);
    const bool last = i + 1 == shares.size();
    if (parts && !last && rest.size() == digits.size()) return std::nullopt;
    rest.remove_prefix(std::min(rest.size(), digits.size() + (parts ? 1 : 0)));
  }
  return 0.299 * shares[0] + 0.587 * shares[1] + 0.114 * shares[2] > 0.5;
}

std::string to_desktop(std::string_view text) {
  auto safe = printable(text);  // no control bytes: nothing in it ends the sequence
  std::replace(safe.begin(), safe.end(), ';', ',');
  return "\x1b]9;gputop: " + safe + "\x1b\\\x1b]777;notify;gputop;" + safe + "\x1b\\\a";
}

}  // namespace gputop::term
