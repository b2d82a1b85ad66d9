#include "gputop/term/osc.hpp"

#include <algorithm>
#include <cstdint>

#include "gputop/core/format.hpp"

namespace gputop::term {
namespace {

constexpr std::size_t kMostCopied = 74'000;  // bytes: xterm takes 100,000 of their code

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

std::string to_desktop(std::string_view text) {
  auto safe = printable(text);  // no control bytes: nothing in it ends the sequence
  std::replace(safe.begin(), safe.end(), ';', ',');
  return "\x1b]9;gputop: " + safe + "\x1b\\\x1b]777;notify;gputop;" + safe + "\x1b\\\a";
}

}  // namespace gputop::term
