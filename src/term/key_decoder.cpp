// The input state machine: see key_decoder.hpp.
#include "gputop/term/key_decoder.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "gputop/core/characters.hpp"
#include "gputop/core/utf8.hpp"

namespace gputop::term {
namespace {

constexpr std::size_t kLongestControl = 64;
constexpr std::size_t kLongestString = 4096;  // an OSC or DCS reply; a longer one is garbage
constexpr std::size_t kLongestPaste = 64 * 1024;
constexpr std::string_view kPasteBegin = "\x1b[200~";
constexpr std::string_view kPasteEnd = "\x1b[201~";
constexpr std::string_view kBackground = "\x1b]11;";

// The many names of one key, mapped to the one FTXUI knows.
using Alias = std::pair<std::string_view, std::string_view>;
constexpr std::array kAliases{
    Alias{"\r", "\n"},           Alias{"\b", "\x7f"},         Alias{"\x1bOA", "\x1b[A"},   Alias{"\x1bOB", "\x1b[B"},
    Alias{"\x1bOC", "\x1b[C"},   Alias{"\x1bOD", "\x1b[D"},   Alias{"\x1bOH", "\x1b[H"},   Alias{"\x1bOF", "\x1b[F"},
    Alias{"\x1b[1~", "\x1b[H"},  Alias{"\x1b[7~", "\x1b[H"},  Alias{"\x1b[4~", "\x1b[F"},  Alias{"\x1b[8~", "\x1b[F"},
    Alias{"\x1b[P", "\x1bOP"},   Alias{"\x1b[Q", "\x1bOQ"},   Alias{"\x1b[S", "\x1bOS"},   Alias{"\x1b[11~", "\x1bOP"},
    Alias{"\x1b[12~", "\x1bOQ"}, Alias{"\x1b[13~", "\x1bOR"}, Alias{"\x1b[14~", "\x1bOS"}, Alias{"\x1b[[A", "\x1bOP"},
    Alias{"\x1b[[B", "\x1bOQ"},  Alias{"\x1b[[C", "\x1bOR"},  Alias{"\x1b[[D", "\x1bOS"},  Alias{"\x1b[[E", "\x1b[15~"},
    Alias{"\x1bOM", "\n"},
};

std::size_t utf8_length(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  if (byte >= 0xC2 && byte < 0xE0) return 2;
  if (byte >= 0xE0 && byte < 0xF0) return 3;
  if (byte >= 0xF0 && byte < 0xF5) return 4;
  return 0;
}

}  // namespace

void KeyDecoder::feed(std::string_view bytes) {
  for (const char byte : bytes) step(byte);
}

void KeyDecoder::flush() {
  if (state_ == State::kPaste) return;
  // The rest of an answer that a slow line cut in two must not be taken for keys.
  if (state_ == State::kString && buffer_.starts_with(kBackground)) return;
  const bool lone = state_ == State::kEscape;
  start_over();
  if (lone) keys_(ftxui::Event::Escape);
}

void KeyDecoder::start_over() {
  state_ = State::kGround;
  buffer_.clear();
  swallowed_ = 0;
}

void KeyDecoder::step(char byte) {
  switch (state_) {
    case State::kGround: return ground(byte);
    case State::kEscape: return escape(byte);
    case State::kControl: return control(byte);
    case State::kUtf8: return utf8(byte);
    case State::kString: return string(byte);
    case State::kPaste: return paste(byte);
    case State::kSingleShift:
      if (byte == '\x1b') {
        start_over();
        return ground(byte);
      }
      buffer_ += byte;
      return special(std::exchange(buffer_, {}));
  }
}

void KeyDecoder::ground(char byte) {
  const auto code = static_cast<unsigned char>(byte);
  if (byte == '\x1b') {
    buffer_ = byte;
    state_ = State::kEscape;
  } else if (code < 0x20 || code == 0x7F) {
    special(std::string_view{&byte, 1});
  } else if (code < 0x80) {
    keys_(ftxui::Event::Character(byte));
  } else if (utf8_length(byte) != 0) {
    buffer_ = byte;
    state_ = State::kUtf8;
  }
}

void KeyDecoder::escape(char byte) {
  if (byte == '\x1b') {  // the first one was the Escape key, the second may begin a sequence
    keys_(ftxui::Event::Escape);
    return;
  }
  buffer_ += byte;
  switch (byte) {
    case '[': state_ = State::kControl; return;
    case 'O':
    case 'N': state_ = State::kSingleShift; return;
    case 'P':  // DCS, OSC, SOS, PM, APC: the terminal's answers, never keys
    case ']':
    case 'X':
    case '^':
    case '_': state_ = State::kString; return;
    default: break;
  }
  if (static_cast<unsigned char>(byte) >= 0x80) return start_over();  // Alt with a letter outside ASCII: not one of our keys
  special(std::exchange(buffer_, {}));
}

void KeyDecoder::control(char byte) {
  const auto code = static_cast<unsigned char>(byte);
  const bool linux_function_key = buffer_.size() == 2 && byte == '[';
  if (code < 0x20 || code >= 0x7F || buffer_.size() >= kLongestControl) {
    start_over();
    if (byte == '\x1b') ground(byte);
    return;
  }
  buffer_ += byte;
  if (linux_function_key) return;
  if (code >= 0x40) finish_control();
}

void KeyDecoder::finish_control() {
  if (buffer_ == kPasteBegin) {
    start_over();
    state_ = State::kPaste;
    return;
  }
  const char final = buffer_.back();
  const char first = buffer_[2];
  if (first == '<' && (final == 'M' || final == 'm')) return mouse();
  const std::string sequence = std::exchange(buffer_, {});
  state_ = State::kGround;
  if (sequence == "\x1b[0n") {
    if (reply_) reply_();
    return;
  }
  // Private and device reports, cursor positions, mode and window reports, focus: answers, not keys. (ESC [ R alone
  // would be F3; ESC [ 1 ; 5 R is Ctrl-F3 and also a cursor position: taken as the latter.)
  const bool report = first == '?' || first == '>' || first == '<' || first == '=';
  constexpr std::string_view kReports = "cnRtyuIO";
  if (report || kReports.find(final) != std::string_view::npos || sequence == kPasteEnd) return;
  special(sequence);
}

void KeyDecoder::special(std::string_view sequence) {
  state_ = State::kGround;
  const auto* const alias =
      std::find_if(kAliases.begin(), kAliases.end(), [&](const Alias& entry) { return entry.first == sequence; });
  keys_(ftxui::Event::Special(std::string{alias == kAliases.end() ? sequence : alias->second}));
}

void KeyDecoder::mouse() {
  const std::string sequence = std::exchange(buffer_, {});
  state_ = State::kGround;
  std::array<int, 3> numbers{};
  std::size_t index = 0;
  for (std::size_t i = 3; i + 1 < sequence.size(); ++i) {
    if (sequence[i] == ';') {
      if (++index == numbers.size()) return;
    } else if (!is_digit(sequence[i]) || numbers[index] > 100'000) {
      return;
    } else {
      numbers[index] = numbers[index] * 10 + (sequence[i] - '0');
    }
  }
  const auto [bits, column, row] = numbers;
  if (index != 2 || column < 1 || row < 1) return;
  ftxui::Mouse mouse;
  const int button = bits & 3;
  constexpr int kWheel = 64;
  mouse.button = static_cast<ftxui::Mouse::Button>((bits & kWheel) != 0 ? ftxui::Mouse::WheelUp + button : button);
  mouse.motion = (bits & 32) != 0         ? ftxui::Mouse::Moved
                 : sequence.back() == 'M' ? ftxui::Mouse::Pressed
                                          : ftxui::Mouse::Released;
  mouse.shift = (bits & 4) != 0;
  mouse.meta = (bits & 8) != 0;
  mouse.control = (bits & 16) != 0;
  mouse.x = column - 1;
  mouse.y = row - 1;
  keys_(ftxui::Event::Mouse(sequence, mouse));
}

void KeyDecoder::utf8(char byte) {
  if ((static_cast<unsigned char>(byte) & 0xC0U) != 0x80) {
    start_over();
    return ground(byte);
  }
  buffer_ += byte;
  if (buffer_.size() < utf8_length(buffer_[0])) return;
  const std::string text = std::exchange(buffer_, {});
  state_ = State::kGround;
  if (decode_utf8(text).length == text.size()) keys_(ftxui::Event::Character(text));
}

// Keeps only the beginning and the last byte of a long one, to recognize the ESC of the terminator ESC \.
void KeyDecoder::string(char byte) {
  const bool after_escape = buffer_.back() == '\x1b';
  if (byte == '\a' || (after_escape && byte == '\\') || ++swallowed_ > kLongestString) {
    auto text = std::exchange(buffer_, {});
    if (after_escape) text.pop_back();
    start_over();
    if (background_ && text.starts_with(kBackground) && text.size() < kLongestControl) {
      background_(std::string_view{text}.substr(kBackground.size()));
    }
    return;
  }
  if (after_escape) {  // the string was cut off by a new sequence
    start_over();
    ground('\x1b');
    return step(byte);
  }
  if (buffer_.size() < kLongestControl) {
    buffer_ += byte;
  } else {
    buffer_.back() = byte;
  }
}

void KeyDecoder::paste(char byte) {
  buffer_ += byte;
  if (!buffer_.ends_with(kPasteEnd)) {
    // Too long: the rest is dropped, but the end is still searched for, so no pasted byte is ever taken for a key.
    const std::size_t most = kLongestPaste + kPasteEnd.size();
    if (buffer_.size() > most) buffer_.erase(kLongestPaste, 1);
    return;
  }
  buffer_.resize(std::min(buffer_.size() - kPasteEnd.size(), kLongestPaste));
  const std::string text = std::exchange(buffer_, {});
  start_over();
  if (paste_) paste_(text);
}

}  // namespace gputop::term
