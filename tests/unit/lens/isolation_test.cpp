#include <catch2/catch_test_macros.hpp>

#include "gputop/lens/isolation.hpp"

using namespace gputop;
using Words = std::vector<std::string>;

TEST_CASE("isolation: -I, -E and -S of a Python are found, alone or among others", "[lens]") {
  CHECK(isolating_option({"python", "-I", "train.py"}) == "-I");
  CHECK(isolating_option({"/usr/bin/python3.11", "-u", "-E", "-m", "pkg"}) == "-E");
  CHECK(isolating_option({"python3", "-uS", "train.py"}) == "-S");
  CHECK(isolating_option({"env", "A=1", "nice", "python3", "-Iu", "-c", "pass"}) == "-I");
  CHECK(isolating_option({"python3", "-X", "dev", "-W", "ignore", "-I", "x.py"}) == "-I");
}

TEST_CASE("isolation: the script's own words and other options are none of it", "[lens]") {
  CHECK_FALSE(isolating_option({"python", "train.py", "-I"}));
  CHECK_FALSE(isolating_option({"python3", "-m", "pkg", "-S"}));
  CHECK_FALSE(isolating_option({"python3", "-mIsolated"}));
  CHECK_FALSE(isolating_option({"python3", "-c", "-I"}));
  CHECK_FALSE(isolating_option({"python3", "-W", "E", "-XIES", "-u", "x.py"}));
  CHECK_FALSE(isolating_option({"python3", "-", "-I"}));
  CHECK_FALSE(isolating_option({"./train.sh", "-I"}));
  CHECK_FALSE(isolating_option({"pythonista", "-I"}));
  CHECK_FALSE(isolating_option(Words{}));
}
