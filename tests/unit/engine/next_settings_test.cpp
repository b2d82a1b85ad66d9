#include "engine/next_settings.hpp"

#include <catch2/catch_test_macros.hpp>

#include "gputop/patch/journal.hpp"
#include "support/temporary_directory.hpp"

namespace gputop {
namespace {

using Words = std::vector<std::string>;

const PlanChange kLarger{.changes = {{"batch_size", "8", "16"}}};
const SeenRun kSeen;

TEST_CASE("next settings: a change taken back does not forget the checkpoint", "[engine]") {
  const test::TemporaryDirectory folder;
  folder.write("train.py", "p.add_argument('--resume', default='')\n");
  folder.write("a.yaml", "batch_size: 8\n");
  ProjectReader project{folder.path()};
  NextSettings settings{project, {.argv = {"python", "train.py", "a.yaml"}}};
  const auto change = settings.plan(kLarger, kSeen, "out/1.pt");
  REQUIRE(change);
  REQUIRE(settings.write(*change));
  CHECK(settings.launch().argv == Words{"python", "train.py", "a.yaml", "--resume", "out/1.pt"});
  CHECK(settings.taking_back("out/2.pt").argv_after == Words{"python", "train.py", "a.yaml", "--resume", "out/2.pt"});
  REQUIRE(settings.take_back(""));  // the launch has saved nothing
  CHECK(settings.launch().argv == Words{"python", "train.py", "a.yaml", "--resume", "out/1.pt"});
  CHECK(folder.read(folder.file("a.yaml")) == "batch_size: 8\n");
  CHECK_FALSE(settings.launch().can_take_back());
}

TEST_CASE("next settings: what lies outside the project is written, and taken back, with consent", "[engine]") {
  const test::TemporaryDirectory folder;
  const auto base = folder.write("other/base.yaml", "batch_size: 8\n");
  folder.write("project/a.yaml", "base: ../other/base.yaml\n");
  ProjectReader project{folder.file("project")};
  NextSettings settings{project, {.argv = {"python", "train.py", "a.yaml"}}};
  const auto change = settings.plan(kLarger, kSeen, {});
  REQUIRE(change);
  CHECK(settings.outside(*change).find("base.yaml is outside the project") != std::string::npos);
  CHECK_FALSE(settings.write(*change));
  CHECK(folder.read(base) == "batch_size: 8\n");
  REQUIRE(settings.write(*change, false, true));
  CHECK(folder.read(base) == "batch_size: 16\n");
  REQUIRE(settings.take_back(""));
  CHECK(folder.read(base) == "batch_size: 8\n");
}

TEST_CASE("next settings: undo knows of a change until it is taken back", "[engine]") {
  const test::TemporaryDirectory folder;
  folder.write("a.yaml", "batch_size: 8\n");
  ProjectReader project{folder.path()};
  NextSettings settings{project, {.argv = {"python", "train.py", "a.yaml"}}};
  const auto journal = folder.file("state/changes");
  settings.keep_journal(journal);
  const auto write = [&] {
    const auto change = settings.plan(kLarger, kSeen, {});
    REQUIRE(change);
    REQUIRE(settings.write(*change));
  };
  write();
  REQUIRE(patch::read_journal(journal).size() == 1);
  CHECK(patch::read_journal(journal)[0].changes == Words{"batch_size 8 → 16"});
  REQUIRE(settings.take_back(""));
  CHECK(patch::read_journal(journal).empty());
  write();
  REQUIRE(patch::take_back(patch::read_journal(journal)[0]));
  CHECK(folder.read(folder.file("a.yaml")) == "batch_size: 8\n");
}

TEST_CASE("next settings: of several places the one that was chosen, remembered when told", "[engine]") {
  const test::TemporaryDirectory folder;
  folder.write("a.yaml", "batch_size: 8\n");
  folder.write("b.yaml", "batch_size: 8\n");
  ProjectReader project{folder.path()};
  NextSettings settings{project, {.argv = {"python", "train.py", "a.yaml", "b.yaml"}}};
  CHECK_FALSE(settings.plan(kLarger, kSeen, {}));
  const auto places = settings.places(kLarger, kSeen);
  REQUIRE(places.size() == 2);
  auto wanted = kLarger;
  wanted.at = {places[1].name};
  const auto change = settings.plan(wanted, kSeen, {});
  REQUIRE(change);
  REQUIRE(settings.write(*change, true));
  CHECK(folder.read(folder.file("a.yaml")) == "batch_size: 8\n");
  CHECK(folder.read(folder.file("b.yaml")) == "batch_size: 16\n");
  CHECK(folder.read(folder.file(".gputop.yaml")).find("b.yaml:batch_size") != std::string::npos);
  CHECK(settings.plan({.changes = {{"batch_size", "16", "32"}}}, kSeen, {}));
}

}  // namespace
}  // namespace gputop
