#include "gputop/core/scan.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace gputop;

TEST_CASE("scan: no step leaves the text", "[core]") {
  std::string_view text = "\xE2\x94";  // a drawn line, torn
  skip_front(text, 3);
  CHECK(text.empty());
  skip_front(text, 1);
  skip_back(text, 1);
  CHECK(text.empty());
  text = "step";
  skip_front(text, 1);
  skip_back(text, 2);
  CHECK(text == "t");
  skip_back(text, std::string_view::npos);
  CHECK(text.empty());
}

TEST_CASE("scan: a slice ends where the text does", "[core]") {
  CHECK(slice("abc", 1) == "bc");
  CHECK(slice("abc", 1, 1) == "b");
  CHECK(slice("abc", 3).empty());
  CHECK(slice("abc", 4).empty());
  CHECK(slice("abc", std::string_view::npos, 7).empty());
}

TEST_CASE("scan: a slice of a string owns its bytes", "[core]") {
  STATIC_CHECK(std::is_same_v<decltype(slice(std::string{"abc"}, 1)), std::string>);
  STATIC_CHECK(std::is_same_v<decltype(slice(std::string_view{"abc"}, 1)), std::string_view>);
  CHECK(slice(std::string{"abc"}, 9).empty());
}

TEST_CASE("scan: behind the end there is no character", "[core]") {
  CHECK(char_at("abc", 2) == 'c');
  CHECK(char_at("abc", 3) == '\0');
  CHECK(char_at("abc", std::string_view::npos) == '\0');
  CHECK(first_char("") == '\0');
  CHECK(last_char("") == '\0');
  CHECK(first_char("ab") == 'a');
  CHECK(last_char("ab") == 'b');
}
