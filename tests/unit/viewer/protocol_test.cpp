#include "gputop/viewer/protocol.hpp"

#include <catch2/catch_test_macros.hpp>
#include <random>
#include <vector>

using namespace gputop;

namespace {

const std::vector<Message> kEveryKind{
    Hello{.columns = 200, .rows = 50, .color_depth = 2, .utf8 = false, .readonly = true, .gputop_version = "0.1.0"},
    KeysTyped{std::string("a\0\x1b[A", 5)},
    KeysTyped{std::string(100'000, 'x')},
    Resized{1000, 500},
    Suspended{true},
    EndRequested{15},
    MetricsWanted{},
    Metrics{"gputop_run_alive 1\n"},
    Done{},
    Done{{.questions = 70'000, .patience_ms = 1000}},
    Welcome{.gputop_version = "9", .run_name = "train"},
    MouseWanted{false},
    Farewell{Farewell::Kind::kRunEnded, 137, "killed by signal 9"},
    Farewell{Farewell::Kind::kDetached, 0, "", {.questions = 1, .patience_ms = 50}},
};

std::vector<Message> decoded(std::string_view bytes, std::size_t piece) {
  MessageDecoder decoder;
  std::vector<Message> messages;
  for (std::size_t i = 0; i < bytes.size(); i += piece) {
    decoder.feed(bytes.substr(i, piece));
    for (;;) {
      auto next = decoder.next();
      REQUIRE(next);
      if (!*next) break;
      messages.push_back(**next);
    }
  }
  return messages;
}

}  // namespace

TEST_CASE("every message survives the wire, however it is cut", "[viewer]") {
  std::string bytes;
  for (const auto& message : kEveryKind) bytes += encode(message);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{4096}, bytes.size()}) {
    CHECK(decoded(bytes, piece) == kEveryKind);
  }
}

TEST_CASE("a message of an unknown kind is skipped", "[viewer]") {
  const std::string unknown{"\xC8\x02\x00\x00\x00hi", 7};
  CHECK(decoded(unknown + encode(Suspended{true}), 1) == std::vector<Message>{Suspended{true}});
}

TEST_CASE("fields added by a newer version are ignored", "[viewer]") {
  auto bytes = encode(Suspended{true});
  bytes[1] = static_cast<char>(bytes[1] + 2);
  CHECK(decoded(bytes + "zz", 100) == std::vector<Message>{Suspended{true}});
}

TEST_CASE("an engine that does not say what it asked has asked nothing", "[viewer]") {
  CHECK(decoded(std::string_view{"\x13\x00\x00\x00\x00", 5}, 1) == std::vector<Message>{Done{}});
  CHECK(decoded(std::string_view{"\x12\x06\x00\x00\x00\x01\x07\x00\x00\x00\x00", 11}, 1) ==
        std::vector<Message>{Farewell{Farewell::Kind::kRunEnded, 7, ""}});
}

TEST_CASE("a message that is too long or too short is the peer's fault", "[viewer]") {
  MessageDecoder huge;
  huge.feed(std::string_view{"\x02\xFF\xFF\xFF\x7F", 5});
  CHECK_FALSE(huge.next());
  MessageDecoder brief;
  brief.feed(std::string_view{"\x03\x01\x00\x00\x00x", 6});
  CHECK_FALSE(brief.next());
}

TEST_CASE("random bytes never crash the decoder and never make it keep more than one message", "[viewer]") {
  std::mt19937 random{7};
  for (int round = 0; round < 2000; ++round) {
    MessageDecoder decoder;
    for (int piece = 0; piece < 8; ++piece) {
      std::string bytes(random() % 64, '\0');
      for (auto& byte : bytes) byte = static_cast<char>(random() % (piece % 2 == 0 ? 256 : 24));
      decoder.feed(bytes);
      for (;;) {
        const auto next = decoder.next();
        if (!next || !*next) break;
      }
    }
  }
  SUCCEED("no crash, no sanitizer report");
}
