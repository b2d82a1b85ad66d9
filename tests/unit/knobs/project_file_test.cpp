#include "gputop/knobs/project_file.hpp"

#include <catch2/catch_test_macros.hpp>

namespace gputop::knobs {
namespace {

using Places = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("project file: a fresh one, a second choice, a change of mind", "[knobs]") {
  const auto fresh = remember_place("", "batch_size", "a.yaml:train.batch_size");
  REQUIRE(fresh);
  CHECK(*remembered_places(*fresh) == Places{{"batch_size", "a.yaml:train.batch_size"}});
  const auto second = remember_place(*fresh, "workers", "argv:--workers");
  REQUIRE(second);
  CHECK(remembered_places(*second)->size() == 2);
  const auto changed = remember_place(*second, "batch_size", "b.yaml:x");
  REQUIRE(changed);
  CHECK(*remembered_places(*changed) == Places{{"workers", "argv:--workers"}, {"batch_size", "b.yaml:x"}});
}

TEST_CASE("project file: what else is in it stays, byte for byte", "[knobs]") {
  const std::string text = "# ours\nknobs:   # places\n    # none yet\nother: [1, 2]  # keep\n";
  CHECK(*remember_place(text, "workers", "argv:-j") ==
        "# ours\nknobs:   # places\n  workers: \"argv:-j\"\n    # none yet\nother: [1, 2]  # keep\n");
  CHECK(*remember_place("other: 1", "workers", "argv:-j") == "other: 1\nknobs:\n  workers: \"argv:-j\"\n");
  CHECK(*remember_place("knobs:\n  workers: argv:-w # old\n", "workers", "argv:-j") ==
        "knobs:\n  workers: \"argv:-j\" # old\n");
}

TEST_CASE("project file: refuses what it cannot add to", "[knobs]") {
  CHECK_FALSE(remember_place("knobs: {a: b}\n", "workers", "argv:-j"));
  CHECK_FALSE(remember_place("[1, 2", "workers", "argv:-j"));
  CHECK_FALSE(remember_place("", "workers", "a\nb"));
}

}  // namespace
}  // namespace gputop::knobs
