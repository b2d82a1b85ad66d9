#include "run/next_launch.hpp"

#include <catch2/catch_test_macros.hpp>
#include <memory>

namespace gputop::run {
namespace {

TEST_CASE("a command crosses to the keeper as it was given") {
  const NextLaunch launch{{{"OMP_NUM_THREADS", "4"}, {"GONE", std::nullopt}, {"EMPTY", ""}},
                          "/usr/bin/python3",
                          {"python3", "train.py", "--note", "", "a b=c"}};
  const auto read = parse_next_launch(to_bytes(launch));
  REQUIRE(read);
  CHECK(read->environment == launch.environment);
  CHECK(read->file == launch.file);
  CHECK(read->argv == launch.argv);
}

TEST_CASE("damaged bytes are no command") {
  const auto whole = to_bytes({{{"A", "1"}}, "/bin/true", {"true"}});
  CHECK_FALSE(parse_next_launch(""));
  CHECK_FALSE(parse_next_launch(std::string_view{whole}.substr(0, whole.size() - 1)));
  CHECK_FALSE(parse_next_launch(to_bytes({{}, "", {"true"}})));
  CHECK_FALSE(parse_next_launch(to_bytes({{}, "/bin/true", {}})));
}

TEST_CASE("a command line is kept byte for byte, or not at all") {
  auto shared = std::make_unique<SharedRun>();
  const std::vector<std::string> words{"python3", "--data", "/data/caf\xE9", ""};
  CHECK(store_launch({{}, "/usr/bin/python3", words}, shared->launched));
  CHECK(stored_launch(shared->launched)->argv == words);
  CHECK_FALSE(store_launch({{}, "/usr/bin/python3", std::vector<std::string>(20000, "argument")}, shared->launched));
  CHECK_FALSE(stored_launch(shared->launched));
}

}  // namespace
}  // namespace gputop::run
