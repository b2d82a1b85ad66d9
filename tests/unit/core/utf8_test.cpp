#include "gputop/core/utf8.hpp"

#include <catch2/catch_test_macros.hpp>

namespace gputop {
namespace {

TEST_CASE("decode_utf8: one to four bytes", "[core]") {
  CHECK(decode_utf8("a").code == U'a');
  CHECK(decode_utf8("éx").length == 2);
  CHECK(decode_utf8("–").code == 0x2013);
  CHECK(decode_utf8("👍").code == 0x1F44D);
}

TEST_CASE("decode_utf8: refuses what is not UTF-8", "[core]") {
  for (const auto* text :
       {"\x80", "\xC0\x80", "\xC3", "\xE2\x82", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF8", "\xE0\x80\x80", "\xC3("}) {
    CHECK(decode_utf8(text).length == 0);
  }
}

}  // namespace
}  // namespace gputop
