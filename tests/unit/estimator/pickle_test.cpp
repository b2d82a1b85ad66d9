#include "estimator/pickle.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace gputop;
using namespace std::string_literals;

TEST_CASE("pickle: plain values of every kind are read", "[pickle]") {
  // {'a': [1, -2, 300], 'b': (None, True), 'c': 2.5, 'd': 1 << 40}, protocol 2
  const auto bytes = "\x80\x02}q\x00(X\x01\x00\x00\x00"s + "aq\x01]q\x02(K\x01J\xfe\xff\xff\xffM,\x01" + "eX\x01\x00\x00\x00"s +
                     "bq\x03N\x88\x86q\x04X\x01\x00\x00\x00"s + "cq\x05G@\x04\x00\x00\x00\x00\x00\x00"s + "X\x01\x00\x00\x00"s +
                     "d\x8a\x06\x00\x00\x00\x00\x00\x01u."s;
  const auto pickle = Pickle::read(bytes);
  REQUIRE(pickle);
  const auto& list = pickle->list(pickle->member(pickle->root(), "a"));
  REQUIRE(list.size() == 3);
  CHECK(list[0].number == 1);
  CHECK(list[1].number == -2);
  CHECK(list[2].number == 300);
  CHECK(Pickle::count(list[1]) == std::nullopt);
  CHECK(pickle->list(pickle->member(pickle->root(), "b")).size() == 2);
  CHECK(pickle->member(pickle->root(), "c").real == 2.5);
  CHECK(Pickle::count(pickle->member(pickle->root(), "d")) == std::uint64_t{1} << 40U);
  CHECK(pickle->member(pickle->root(), "e").kind == PickleValue::Kind::kNone);
}

TEST_CASE("pickle: a list that holds itself is no endless one", "[pickle]") {
  const auto bytes = "\x80\x02]q\x00h\x00"s + "a."s;
  const auto pickle = Pickle::read(bytes);
  REQUIRE(pickle);
  CHECK(pickle->list(pickle->root()).size() == 1);
}

TEST_CASE("pickle: whatever imports or calls is refused by name", "[pickle]") {
  for (const auto& bytes : {"\x80\x02"s + "cos\nsystem\n."s, "\x80\x04\x8c\x02os\x8c\x06system\x93."s, "\x80\x02)R."s, "\x80\x02)\x81."s}) {
    const auto pickle = Pickle::read(bytes);
    REQUIRE_FALSE(pickle);
    CHECK(pickle.error().message.find("never does") != std::string::npos);
  }
}

TEST_CASE("pickle: torn and senseless bytes are errors that say where", "[pickle]") {
  const auto whole = "\x80\x02}q\x00X\x01\x00\x00\x00"s + "aK\x01s."s;
  REQUIRE(Pickle::read(whole));
  for (std::size_t size = 2; size < whole.size(); ++size) {
    const auto torn = Pickle::read(std::string_view{whole}.substr(0, size));
    REQUIRE_FALSE(torn);
    CHECK(torn.error().message.find("byte ") != std::string::npos);
  }
  for (const auto& bytes : {"\x80\x02K\x01s."s, "\x80\x02h\x05."s, "\x80\x02t."s, "\x80\x02(0."s, "\x80\x02}(K\x01u."s, "\x80\x02]K\x01s."s,
                            "\x80\x02X\xff\xff\xff\xff."s, "\x80\x02\xff."s, "\x80\x02K\x01K\x02."s, "\x80\x02."s})
    CHECK_FALSE(Pickle::read(bytes));
}
