#include "gputop/term/key_decoder.hpp"
#include "gputop/term/osc.hpp"

#include <random>
#include <vector>

#include <catch2/catch_test_macros.hpp>

namespace gputop::term {
namespace {

struct Heard {
  std::vector<ftxui::Event> keys;
  std::vector<std::string> pastes;
  int replies = 0;
  std::vector<std::string> backgrounds;
  KeyDecoder decoder{[this](ftxui::Event event) { keys.push_back(std::move(event)); },
                     [this](std::string text) { pastes.push_back(std::move(text)); }, [this] { ++replies; },
                     [this](std::string_view answer) { backgrounds.emplace_back(answer); }};
};

std::vector<ftxui::Event> keys_of(std::string_view bytes) {
  Heard heard;
  heard.decoder.feed(bytes);
  return heard.keys;
}

using Events = std::vector<ftxui::Event>;
using ftxui::Event;

TEST_CASE("KeyDecoder: letters, control keys and UTF-8", "[term]") {
  CHECK(keys_of("aZ\t\x03") == Events{Event::a, Event::Z, Event::Tab, Event::CtrlC});
  CHECK(keys_of("é字👍") == Events{Event::Character("é"), Event::Character("字"), Event::Character("👍")});
  CHECK(keys_of("é")[0].is_character());
}

TEST_CASE("KeyDecoder: every terminal's name of a key is FTXUI's", "[term]") {
  CHECK(keys_of("\r\n") == Events{Event::Return, Event::Return});
  CHECK(keys_of("\b\x7f") == Events{Event::Backspace, Event::Backspace});
  CHECK(keys_of("\x1b[A\x1bOA") == Events{Event::ArrowUp, Event::ArrowUp});
  CHECK(keys_of("\x1b[H\x1bOH\x1b[1~\x1b[7~") == Events(4, Event::Home));
  CHECK(keys_of("\x1b[F\x1bOF\x1b[4~\x1b[8~") == Events(4, Event::End));
  CHECK(keys_of("\x1bOP\x1b[11~\x1b[[A\x1b[P") == Events(4, Event::F1));
  CHECK(keys_of("\x1b[15~\x1b[[E") == Events(2, Event::F5));
  CHECK(keys_of("\x1b[5~\x1b[6~\x1b[3~\x1b[Z") ==
        Events{Event::PageUp, Event::PageDown, Event::Delete, Event::TabReverse});
  CHECK(keys_of("\x1b[1;5C") == Events{Event::ArrowRightCtrl});
  CHECK(keys_of("\x1b"
                "a") == Events{Event::AltA});
}

TEST_CASE("KeyDecoder: a lone ESC is the Escape key once the wait is over", "[term]") {
  Heard heard;
  heard.decoder.feed("\x1b");
  CHECK(heard.keys.empty());
  CHECK(heard.decoder.pending());
  heard.decoder.flush();
  CHECK(heard.keys == Events{Event::Escape});
  CHECK_FALSE(heard.decoder.pending());
  heard.decoder.flush();
  CHECK(heard.keys.size() == 1);
}

TEST_CASE("KeyDecoder: ESC before another sequence is a key of its own", "[term]") {
  CHECK(keys_of("\x1b\x1b[A") == Events{Event::Escape, Event::ArrowUp});
}

TEST_CASE("KeyDecoder: a sequence cut by the wait is dropped, what follows is not", "[term]") {
  Heard heard;
  heard.decoder.feed("\x1b[1;");
  heard.decoder.flush();
  heard.decoder.feed("q");
  CHECK(heard.keys == Events{Event::q});
}

TEST_CASE("KeyDecoder: SGR mouse", "[term]") {
  auto events = keys_of("\x1b[<0;11;6M\x1b[<0;11;6m\x1b[<65;1;1M\x1b[<34;3;4M\x1b[<20;2;2M");
  REQUIRE(events.size() == 5);
  for (auto& event : events) CHECK(event.is_mouse());
  CHECK(events[0].mouse().button == ftxui::Mouse::Left);
  CHECK(events[0].mouse().motion == ftxui::Mouse::Pressed);
  CHECK(events[0].mouse().x == 10);
  CHECK(events[0].mouse().y == 5);
  CHECK(events[1].mouse().motion == ftxui::Mouse::Released);
  CHECK(events[2].mouse().button == ftxui::Mouse::WheelDown);
  CHECK(events[3].mouse().motion == ftxui::Mouse::Moved);
  CHECK(events[3].mouse().button == ftxui::Mouse::Right);
  CHECK(events[4].mouse().control);
  CHECK(events[4].mouse().shift);
}

TEST_CASE("KeyDecoder: malformed mouse reports are ignored", "[term]") {
  CHECK(keys_of("\x1b[<0;11M\x1b[<M\x1b[<0;0;0M\x1b[<1;2;3;4M\x1b[<99999999999;1;1M").empty());
}

TEST_CASE("KeyDecoder: pasted text is one text as it came, never keys", "[term]") {
  Heard heard;
  heard.decoder.feed("\x1b[200~q\x03rm -rf\n\x1b[A\x1b[20");
  CHECK_FALSE(heard.decoder.pending());
  heard.decoder.flush();
  heard.decoder.feed("1~x");
  CHECK(heard.keys == Events{Event::x});
  REQUIRE(heard.pastes.size() == 1);
  CHECK(heard.pastes[0] == "q\x03rm -rf\n\x1b[A");
}

TEST_CASE("KeyDecoder: an endless paste is cut and still ends", "[term]") {
  Heard heard;
  heard.decoder.feed("\x1b[200~");
  heard.decoder.feed(std::string(1'000'000, 'q'));
  heard.decoder.feed("\x1b[201~z");
  CHECK(heard.keys == Events{Event::z});
  REQUIRE(heard.pastes.size() == 1);
  CHECK(heard.pastes[0].size() == 64 * 1024);
}

TEST_CASE("KeyDecoder: the terminal's answers are not keys", "[term]") {
  Heard heard;
  heard.decoder.feed("\x1b[?1;2c\x1b[>41;354;0c\x1b[12;40R\x1b[8;24;80t\x1b[?2026;2$y\x1b[I\x1b[O\x1b]11;rgb:0/0/0\a");
  heard.decoder.feed("\x1bP1$r0m\x1b\\\x1b_Gi=1;OK\x1b\\\x1b[0n\x1b[201~q");
  CHECK(heard.keys == Events{Event::q});
  CHECK(heard.replies == 1);
}

TEST_CASE("KeyDecoder: the terminal's background is told, however it ends and whatever cuts it", "[term]") {
  Heard heard;
  heard.decoder.feed("\x1b]11;rgb:ffff/ffff/dddd\x1b\\\x1b]11;#1e1e1e\a\x1b]10;rgb:0/0/0\a");
  heard.decoder.feed("\x1b]11;rgb:ff");
  heard.decoder.flush();  // the line is slow: what follows is no key
  heard.decoder.feed("/ff/ff\x1b");
  heard.decoder.flush();
  heard.decoder.feed("\\q");
  CHECK(heard.backgrounds == std::vector<std::string>{"rgb:ffff/ffff/dddd", "#1e1e1e", "rgb:ff/ff/ff"});
  CHECK(heard.keys == Events{Event::q});
}

TEST_CASE("KeyDecoder: an endless answer about the background is none", "[term]") {
  Heard heard;
  heard.decoder.feed("\x1b]11;" + std::string(500, 'f') + "\aq");
  CHECK(heard.backgrounds.empty());
  CHECK(heard.keys == Events{Event::q});
}

TEST_CASE("osc: a background is light, dark, or not understood", "[term]") {
  for (const auto* light : {"rgb:ffff/ffff/ffff", "rgb:ff/ff/ff", "rgb:f/f/d", "#fdf6e3", "rgba:ffff/ffff/ffff/ffff"}) {
    INFO(light);
    CHECK(is_light(light) == true);
  }
  for (const auto* dark : {"rgb:0000/0000/0000", "rgb:1e1e/1e1e/1e1e", "#002b36", "rgb:00/2b/36"}) {
    INFO(dark);
    CHECK(is_light(dark) == false);
  }
  for (const auto* odd : {"", "?", "rgb:", "rgb:ff/ff", "rgb:ff/ff/", "rgb:fffff/0/0", "rgb:x/y/z", "#fff", "white", "#12345g"}) {
    INFO(odd);
    CHECK(is_light(odd) == std::nullopt);
  }
}

TEST_CASE("KeyDecoder: strings and sequences that never end are given up", "[term]") {
  CHECK(keys_of("\x1b]0;" + std::string(5000, 'q')).size() < 1000);
  CHECK(keys_of("\x1b[" + std::string(500, '1') + "q").size() < 500);
  CHECK(keys_of("\x1b]0;never ended\x1b[A") == Events{Event::ArrowUp});
}

TEST_CASE("KeyDecoder: invalid UTF-8 is dropped, the next key is not", "[term]") {
  CHECK(keys_of("\xC3q\xFFw\x80"
                "e\xED\xA0\x80r") == Events{Event::q, Event::w, Event::e, Event::r});
}

TEST_CASE("KeyDecoder: the same bytes in any pieces are the same events", "[term]") {
  std::mt19937 random{5};
  const std::vector<std::string> parts{"a",
                                       "é",
                                       "👍",
                                       "\x1b[A",
                                       "\x1bOP",
                                       "\x1b[<0;5;5M",
                                       "\x1b[200~x\ny\x1b[201~",
                                       "\x1b[1;5C",
                                       "\x1b]0;x\a",
                                       "\x1b[?6c",
                                       "\xC3",
                                       "\x1b\x1b",
                                       "\x1b[[B",
                                       "\x1b"
                                       "x",
                                       "\x1b[0n",
                                       "\r",
                                       "\x1bP+r\x1b\\",
                                       "\x1b[<;M",
                                       "\x7f",
                                       "\xFF",
                                       "\x1b["};
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    for (int i = 0; i < 12; ++i) bytes += parts[random() % parts.size()];
    Heard whole;
    whole.decoder.feed(bytes);
    Heard pieces;
    for (std::string_view rest = bytes; !rest.empty();) {
      const std::size_t length = 1 + random() % rest.size();
      pieces.decoder.feed(rest.substr(0, length));
      rest.remove_prefix(length);
    }
    REQUIRE(whole.keys == pieces.keys);
    REQUIRE(whole.pastes == pieces.pastes);
    REQUIRE(whole.replies == pieces.replies);
  }
}

TEST_CASE("KeyDecoder: random bytes never stick or grow", "[term]") {
  std::mt19937 random{9};
  Heard heard;
  for (int i = 0; i < 200'000; ++i) {
    const char byte = static_cast<char>(random() % 256);
    heard.decoder.feed({&byte, 1});
  }
  heard.decoder.feed("\x1b[201~");
  heard.decoder.flush();
  heard.decoder.feed("\x1b\\");
  heard.keys.clear();
  heard.decoder.feed("q");
  CHECK(heard.keys == Events{Event::q});
}

}  // namespace
}  // namespace gputop::term
