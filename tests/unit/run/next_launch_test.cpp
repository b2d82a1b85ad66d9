#include "run/next_launch.hpp"

#include <catch2/catch_test_macros.hpp>

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

}  // namespace
}  // namespace gputop::run
