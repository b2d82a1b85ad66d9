#include "exporter/textfile.hpp"

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <iterator>

#include "support/temporary_directory.hpp"

using namespace gputop;

namespace {

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator{folder}, {}));
}

}  // namespace

TEST_CASE("textfile: machine and runs have a file each, readable for others, and nothing else is left", "[exporter]") {
  const test::TemporaryDirectory directory;
  TextfileFolder folder{directory.path()};
  const auto runs = directory.file("gputop-runs-" + std::to_string(::geteuid()) + ".prom");
  REQUIRE(folder.write("a 1\n", "b 2\n", 5));
  CHECK(directory.read(directory.file("gputop.prom")) == "a 1\n");
  CHECK(directory.read(runs) == "b 2\n");
  CHECK(files_in(directory.path()) == 2);
  const auto others = std::filesystem::perms::others_read;
  CHECK((std::filesystem::status(runs).permissions() & others) == others);
  REQUIRE(folder.write("a 3\n", "", 5));
  CHECK(directory.read(directory.file("gputop.prom")) == "a 3\n");
  CHECK_FALSE(std::filesystem::exists(runs));
  folder.remove();
  CHECK(files_in(directory.path()) == 0);
}

TEST_CASE("textfile: a folder that is gone is an error that names it", "[exporter]") {
  TextfileFolder folder{"/proc/self/none"};
  const auto written = folder.write("a 1\n", "", 5);
  REQUIRE_FALSE(written);
  CHECK(written.error().message.find("/proc/self/none") != std::string::npos);
}
