#include "engine/project_work.hpp"

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <optional>

#include "support/temporary_directory.hpp"

namespace gputop {
namespace {

Model run_in(const std::string& directory) {
  Model model;
  update(model, {Instant{}, RunStarted{.argv = {"python", "train.py", "a.yaml"}, .directory = directory}});
  return model;
}

// One job, done to its end. A loop runs once.
template <class Result>
Result result_of(const std::string& directory, const std::function<void(ProjectWork&)>& start) {
  Loop loop;
  std::optional<tuning::Input> done;
  ProjectWork work{loop, directory, [&](tuning::Input input) {
                     done = std::move(input);
                     loop.stop();
                   }};
  start(work);
  loop.run();
  REQUIRE(done);
  REQUIRE(std::holds_alternative<Result>(*done));
  return std::get<Result>(*std::move(done));
}

TEST_CASE("project work: a change is found, written and taken back beside the loop", "[engine]") {
  const test::TemporaryDirectory folder;
  folder.write("a.yaml", "batch_size: 8\n");
  folder.write("train.py", "");
  const auto model = run_in(folder.path());
  NextLaunch launch{.argv = {"python", "train.py", "a.yaml"}};
  const tuning::ForQuestion why{{.changes = {{"batch_size", "8", "16"}}}, 1};
  const auto read = result_of<tuning::ProjectRead>(folder.path(), [&](ProjectWork& work) { work.read({why}, launch, model); });
  REQUIRE(read.plan);
  CHECK(as_changes(read.plan->change) == std::vector<Change>{{"batch_size", "8", "16"}});
  CHECK(read.plan->outside.empty());
  CHECK_FALSE(read.cost.since_saved);
  const auto wrote = result_of<tuning::Wrote>(folder.path(), [&](ProjectWork& work) { work.write({{.plan = *read.plan}}, launch, model); });
  REQUIRE(wrote.launch);
  CHECK(folder.read(folder.file("a.yaml")) == "batch_size: 16\n");
  const auto took = result_of<tuning::TookBack>(folder.path(), [&](ProjectWork& work) { work.take_back({}, *wrote.launch, model); });
  REQUIRE(took.launch);
  CHECK_FALSE(took.launch->can_take_back());
  CHECK(folder.read(folder.file("a.yaml")) == "batch_size: 8\n");
}

TEST_CASE("project work: what cannot be found or written is said", "[engine]") {
  const test::TemporaryDirectory folder;
  folder.write("a.yaml", "batch_size: 8\n");
  const auto model = run_in(folder.path());
  const NextLaunch launch{.argv = {"python", "train.py", "a.yaml"}};
  const auto not_projectread = result_of<tuning::ProjectRead>(folder.path(), [&](ProjectWork& work) { work.read({tuning::ForQuestion{{.changes = {{"batch_size", "8", "many"}}}, 1}}, launch, model); });
  CHECK_FALSE(not_projectread.plan);
  const auto read = result_of<tuning::ProjectRead>(folder.path(), [&](ProjectWork& work) { work.read({tuning::ForQuestion{{.changes = {{"batch_size", "8", "16"}}}, 1}}, launch, model); });
  REQUIRE(read.plan);
  folder.write("a.yaml", "batch_size: 9\n");  // somebody was quicker
  const auto not_wrote = result_of<tuning::Wrote>(folder.path(), [&](ProjectWork& work) { work.write({{.plan = *read.plan}}, launch, model); });
  CHECK_FALSE(not_wrote.launch);
  CHECK(folder.read(folder.file("a.yaml")) == "batch_size: 9\n");
  const auto not_tookback = result_of<tuning::TookBack>(folder.path(), [&](ProjectWork& work) { work.take_back({}, launch, model); });
  CHECK_FALSE(not_tookback.launch);
}

TEST_CASE("project work: who is gone is not told", "[engine]") {
  const test::TemporaryDirectory folder;
  Loop loop;
  bool told = false;
  {
    ProjectWork work{loop, folder.path(), [&](const tuning::Input&) { told = true; }};
    work.read({tuning::ForSmallerBatch{}}, {.argv = {"python"}}, run_in(folder.path()));
  }
  loop.post([&] { loop.stop(); });
  loop.run();
  CHECK_FALSE(told);
}

}  // namespace
}  // namespace gputop
