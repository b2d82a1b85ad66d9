#include "engine/project_work.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/temporary_directory.hpp"

namespace gputop {
namespace {

Model run_in(const std::string& directory) {
  Model model;
  update(model, {Instant{}, RunStarted{.argv = {"python", "train.py", "a.yaml"}, .directory = directory}});
  return model;
}

// Waits for the next thing that the work's thread has done.
struct Working {
  explicit Working(const std::string& directory)
      : work(loop, directory, [this](tuning::Input input) {
          done = std::move(input);
          loop.stop();
        }) {}
  template <class T>
  const T& next() {
    loop.run();
    REQUIRE(std::holds_alternative<T>(done));
    return std::get<T>(done);
  }
  Loop loop;
  tuning::Input done;
  ProjectWork work;
};

TEST_CASE("project work: a change is found, written and taken back beside the loop", "[engine]") {
  const test::TemporaryDirectory folder;
  folder.write("a.yaml", "batch_size: 8\n");
  folder.write("train.py", "");
  const auto model = run_in(folder.path());
  Working working{folder.path()};
  NextLaunch launch{.argv = {"python", "train.py", "a.yaml"}};
  const tuning::ForQuestion why{{.changes = {{"batch_size", "8", "16"}}}, 1};
  working.work.read({why}, launch, model);
  const auto read = working.next<tuning::ProjectRead>();
  REQUIRE(read.plan);
  CHECK(as_changes(read.plan->change) == std::vector<Change>{{"batch_size", "8", "16"}});
  CHECK(read.plan->outside.empty());
  CHECK_FALSE(read.cost.since_saved);
  working.work.write({{.plan = *read.plan}}, launch, model);
  const auto wrote = working.next<tuning::Wrote>();
  REQUIRE(wrote.launch);
  CHECK(folder.read(folder.file("a.yaml")) == "batch_size: 16\n");
  working.work.take_back({}, *wrote.launch, model);
  const auto took = working.next<tuning::TookBack>();
  REQUIRE(took.launch);
  CHECK_FALSE(took.launch->can_take_back());
  CHECK(folder.read(folder.file("a.yaml")) == "batch_size: 8\n");
}

TEST_CASE("project work: what cannot be found or written is said", "[engine]") {
  const test::TemporaryDirectory folder;
  folder.write("a.yaml", "batch_size: 8\n");
  const auto model = run_in(folder.path());
  Working working{folder.path()};
  const NextLaunch launch{.argv = {"python", "train.py", "a.yaml"}};
  working.work.read({tuning::ForQuestion{{.changes = {{"batch_size", "8", "many"}}}, 1}}, launch, model);
  CHECK_FALSE(working.next<tuning::ProjectRead>().plan);
  working.work.read({tuning::ForQuestion{{.changes = {{"batch_size", "8", "16"}}}, 1}}, launch, model);
  const auto read = working.next<tuning::ProjectRead>();
  REQUIRE(read.plan);
  folder.write("a.yaml", "batch_size: 9\n");  // somebody was quicker
  working.work.write({{.plan = *read.plan}}, launch, model);
  CHECK_FALSE(working.next<tuning::Wrote>().launch);
  CHECK(folder.read(folder.file("a.yaml")) == "batch_size: 9\n");
  working.work.take_back({}, launch, model);
  CHECK_FALSE(working.next<tuning::TookBack>().launch);
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
