#include "gputop/run/run_dir.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "gputop/run/process.hpp"
#include "run/record.hpp"

using namespace gputop::run;
namespace fs = std::filesystem;

namespace {

struct Root {
  fs::path path;
  Root() {
    std::string name = (fs::temp_directory_path() / "gputop_runs.XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Root() { fs::remove_all(path); }
};

ProcessId me() {
  return {::getpid(), start_ticks(::getpid())};
}

RunRecord sample(const std::string& id, const std::string& name, std::int64_t started) {
  RunRecord record;
  record.id = id;
  record.name = name;
  record.cwd = "/somewhere";
  record.argv = {"python", "train.py", "--text", "a \"quoted\"\nline"};
  record.engine_arguments = {"--interval", "1s"};
  record.gputop_version = "0.1.0";
  record.started = gputop::WallTime{std::chrono::milliseconds{started}};
  record.holder = {41, 42};
  return record;
}

}  // namespace

TEST_CASE("record: written and read again it is the same, and only its owner may read it", "[run]") {
  const Root root;
  auto record = sample("abc", "train", 1234567);
  record.job = {42, 99};
  REQUIRE(write_record(record, root.path / "abc").ok());
  std::ifstream file{root.path / "abc" / "run.json"};
  const auto read = parse_record(std::string{std::istreambuf_iterator<char>{file}, {}});
  REQUIRE(read.ok());
  CHECK(read->argv == record.argv);
  CHECK(read->engine_arguments == record.engine_arguments);
  CHECK(read->started == record.started);
  CHECK(read->job.pid == 42);
  CHECK(read->job.start_ticks == 99);
  CHECK(read->holder.start_ticks == 42);
  CHECK((fs::status(root.path / "abc" / "run.json").permissions() & fs::perms::all) ==
        (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(std::distance(fs::directory_iterator{root.path / "abc"}, {}) == 1);  // no draft left
}

TEST_CASE("record: another version's is refused, garbage is an error", "[run]") {
  CHECK(parse_record(R"({"schema":"gputop.run/9"})").error().kind == gputop::Error::Kind::kMismatch);
  CHECK(parse_record("{").error().kind == gputop::Error::Kind::kCorrupt);
  CHECK(parse_record("[]").error().kind == gputop::Error::Kind::kCorrupt);
}

TEST_CASE("record: an argv too long for shared memory is shortened, not refused", "[run]") {
  auto shared = std::make_unique<SharedRun>();
  auto record = sample("abc", "train", 0);
  record.argv.assign(20000, "argument");
  store_record(record, *shared);
  const auto stored = current_record(*shared);
  CHECK(stored.id == "abc");
  CHECK(stored.argv.size() < 20000);
  CHECK(stored.argv.back() == "…");
}

TEST_CASE("record: an argument that is not UTF-8 does not stop it", "[run]") {
  auto record = sample("abc", "train", 0);
  record.argv = {"\xFF\xFE"};
  CHECK(parse_record(to_json(record)).ok());
}

TEST_CASE("list_runs: oldest first, with their state; what a crash left is removed", "[run]") {
  const Root root;
  auto running = sample("aaaaaa", "one", 2000);
  running.keeper = me();
  running.job = me();
  auto ending = sample("bbbbbb", "two", 1000);
  ending.keeper = me();
  ending.job = {me().pid, me().start_ticks + 1};  // the pid lives, but it is not that process
  auto adrift = sample("cccccc", "three", 3000);
  adrift.job = me();
  const auto stale = sample("dddddd", "four", 4000);
  for (const auto& record : {running, ending, adrift, stale}) REQUIRE(write_record(record, root.path / record.id).ok());
  fs::create_directory(root.path / "making");  // another gputop is just starting

  const auto runs = list_runs({root.path});
  REQUIRE(runs.size() == 3);
  CHECK(runs[0].record.id == "bbbbbb");
  CHECK(runs[0].state == RunState::kEnding);
  CHECK(runs[1].state == RunState::kRunning);
  CHECK(runs[2].state == RunState::kAdrift);
  CHECK_FALSE(fs::exists(root.path / "dddddd"));
  CHECK(fs::exists(root.path / "making"));
}

TEST_CASE("find_run: by id, by name, by how they begin, or the only one; never one of several", "[run]") {
  const Root root;
  CHECK(find_run({root.path}, "").error().kind == gputop::Error::Kind::kNotFound);
  for (const auto& [id, started] : {std::pair{"aaaaaa", 1}, std::pair{"bbbbbb", 2}}) {
    auto record = sample(id, "train", started);
    record.keeper = me();
    REQUIRE(write_record(record, root.path / id).ok());
    if (started > 1) continue;
    CHECK(find_run({root.path}, "")->record.id == "aaaaaa");
    CHECK(find_run({root.path}, "train")->record.id == "aaaaaa");
    CHECK(find_run({root.path}, "tr")->record.id == "aaaaaa");
  }
  CHECK(find_run({root.path}, "aaaaaa")->record.id == "aaaaaa");
  CHECK(find_run({root.path}, "b")->record.id == "bbbbbb");
  const auto several = find_run({root.path}, "train");
  REQUIRE_FALSE(several.ok());
  CHECK(several.error().kind == gputop::Error::Kind::kInvalid);
  CHECK(several.error().message.find("2 runs are called \"train\": name one by its id (bbbbbb, aaaaaa") == 0);
  CHECK(find_run({root.path}, "tr").error().kind == gputop::Error::Kind::kInvalid);
  CHECK(find_run({root.path}, "").error().kind == gputop::Error::Kind::kInvalid);
  CHECK(find_run({root.path}, "other").error().message.find("other") != std::string::npos);
}

TEST_CASE("find_run: another version's is named as such, and left alone", "[run]") {
  const Root root;
  fs::create_directory(root.path / "ffffff");
  std::ofstream{root.path / "ffffff" / "run.json"} << R"({"schema":"gputop.run/9"})";
  CHECK(list_runs({root.path}).empty());
  CHECK(foreign_runs({root.path}) == std::vector<std::string>{"ffffff"});
  CHECK(find_run({root.path}, "ffffff").error().kind == gputop::Error::Kind::kMismatch);
  CHECK(find_run({root.path}, "").error().kind == gputop::Error::Kind::kMismatch);
  CHECK(find_run({root.path}, "other").error().kind == gputop::Error::Kind::kNotFound);
  CHECK(fs::exists(root.path / "ffffff" / "run.json"));
}

TEST_CASE("runtime_root: a path that is too long for a socket is not used", "[run]") {
  const Root root;
  const auto deep = root.path / std::string(90, 'y');
  fs::create_directory(deep);
  ::setenv("XDG_RUNTIME_DIR", deep.c_str(), 1);
  const auto made = runtime_root();
  REQUIRE(made.ok());
  CHECK(*made == "/tmp/gputop-" + std::to_string(::geteuid()));
  ::unsetenv("XDG_RUNTIME_DIR");
}

TEST_CASE("runtime_root: under XDG_RUNTIME_DIR, private, and elsewhere when others could get in", "[run]") {
  const Root root;
  ::setenv("XDG_RUNTIME_DIR", root.path.c_str(), 1);
  const auto made = runtime_root();
  REQUIRE(made.ok());
  CHECK(*made == root.path / "gputop");
  CHECK((fs::status(*made).permissions() & fs::perms::all) == fs::perms::owner_all);
  ::chmod(made->c_str(), 0755);
  REQUIRE(runtime_root().ok());
  CHECK(*runtime_root() != *made);
  const auto listed = runtime_roots();
  CHECK(std::find(listed.begin(), listed.end(), *made) == listed.end());
  fs::remove(*made);
  fs::create_directory_symlink(root.path, *made);
  CHECK(*runtime_root() != *made);
  ::unsetenv("XDG_RUNTIME_DIR");
}
