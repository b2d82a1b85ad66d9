// The embedded files are the files of the source tree, byte for byte.
#include "gputop/config/assets.hpp"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

using namespace gputop;

TEST_CASE("assets: each embedded file has the bytes of its source", "[config]") {
  const auto root = std::filesystem::path{GPUTOP_GOLDEN}.parent_path().parent_path();
  const auto paths = assets_under("");
  REQUIRE(paths.size() > 20);
  for (const auto path : paths) {
    std::ifstream file{root / path, std::ios::binary};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    INFO(path);
    REQUIRE(file.good());
    CHECK(asset(path) == text);
  }
}
