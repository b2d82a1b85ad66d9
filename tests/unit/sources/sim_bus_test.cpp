#include "gputop/sources/sim_bus.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <memory>

#include "gputop/sources/sim_source.hpp"
#include "support/child_process.hpp"
#include "support/temporary_directory.hpp"

using namespace gputop;
using namespace gputop::literals;
using Catch::Approx;
using test::ChildProcess;
using test::TemporaryDirectory;

namespace {

SimRun run_of(SimRunConfig config, std::string card = "RTX 3090") {
  SimRun run;
  run.card = std::move(card);
  run.epoch = 2;
  run.step = 41;
  run.task.config = config;
  return run;
}

// A process on the bus that stays there until it is ended.
ChildProcess example_process(const std::string& directory, const SimRun& run) {
  return ChildProcess{[&](const auto& ready) {
    auto entry = SimBusEntry::open(directory);
    if (!entry || !(*entry)->publish(run)) return 1;
    ready();
    ::pause();
    return 0;
  }};
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream{path} << text;
}

std::size_t files_in(const std::string& directory) {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator{directory}, std::filesystem::directory_iterator{}));
}

// A variable of the environment for the length of a test.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = ::getenv(name)) before_ = old;
    value != nullptr ? ::setenv(name, value, 1) : ::unsetenv(name);
  }
  ~Environment() { before_.empty() ? ::unsetenv(name_) : ::setenv(name_, before_.c_str(), 1); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::string before_;
};

// One reading of the closed loop.
std::vector<GpuReading> read_once(Source& source, Instant now, const std::vector<GpuReading>& last) {
  source.tick(now);
  return last;
}

}  // namespace

TEST_CASE("sim bus: an entry survives the way through JSON unchanged", "[sim]") {
  auto run = run_of({});
  run.pid = 4711;
  run.start_ticks = 18'446'744'073'709'551'615U;
  run.task.phase = SimPhase::kValidating;
  run.task.leaked = 3_GiB;
  run.task.config.precision = SimPrecision::kAmpBf16;
  run.task.config.workload.cpu_per_sample = 0.1;
  const auto back = sim_run_from_json(to_json(run));
  REQUIRE(back.ok());
  CHECK(*back == run);
}

TEST_CASE("sim bus: JSON that is torn, foreign or out of range is refused with the reason", "[sim]") {
  const auto sound = to_json(run_of({}));
  for (std::size_t size = 0; size < sound.size(); ++size) CHECK_FALSE(sim_run_from_json(sound.substr(0, size)).ok());
  const auto with = [&](const std::string& from, const std::string& to) {
    auto text = sound;
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return sim_run_from_json(text.replace(at, from.size(), to));
  };
  CHECK_FALSE(with("sim-run/1", "sim-run/9").ok());
  CHECK_FALSE(with("\"batch_size\":8", "\"batch_size\":0").ok());
  CHECK_FALSE(with("\"batch_size\":8", "\"batch_size\":-8").ok());
  CHECK_FALSE(with("\"batch_size\":8", "\"batch_size\":8.5").ok());
  CHECK_FALSE(with("\"batch_size\":8", "\"batch_size\":4294967304").ok());
  CHECK_FALSE(with("\"batch_size\":8", "\"batch_size\":\"8\"").ok());
  CHECK_FALSE(with("\"precision\":\"fp32\"", "\"precision\":\"fp8\"").ok());
  CHECK_FALSE(with("\"phase\":\"training\"", "\"phase\":\"dreaming\"").ok());
  CHECK(with("\"batch_size\":8", "\"batch_size\":0").error().message.find("batch_size") != std::string::npos);
}

TEST_CASE("sim bus: a run is seen while it lives and its file goes with it", "[sim]") {
  const TemporaryDirectory directory;
  {
    const auto entry = SimBusEntry::open(directory.path() + "/a/bus");
    REQUIRE(entry.ok());
    REQUIRE((*entry)->publish(run_of({})).ok());
    const auto runs = read_sim_bus(directory.path() + "/a/bus");
    REQUIRE(runs.ok());
    REQUIRE(runs->size() == 1);
    CHECK(runs->front().pid == ::getpid());
    CHECK(runs->front().step == 41);
    CHECK(files_in(directory.path() + "/a/bus") == 1);  // nothing half-written lies beside it
    struct stat info {};
    ::stat((directory.path() + "/a/bus").c_str(), &info);
    CHECK((info.st_mode & 0777U) == 0700);
  }
  CHECK(files_in(directory.path() + "/a/bus") == 0);
}

TEST_CASE("sim bus: no directory is no runs", "[sim]") {
  const auto runs = read_sim_bus("/nonexistent/gputop");
  REQUIRE(runs.ok());
  CHECK(runs->empty());
}

TEST_CASE("sim bus: what a killed run left behind is ignored and removed", "[sim]") {
  const TemporaryDirectory directory;
  auto child = example_process(directory.path(), run_of({}));
  CHECK(read_sim_bus(directory.path())->size() == 1);
  child.end(SIGKILL);
  CHECK(files_in(directory.path()) == 1);
  CHECK(read_sim_bus(directory.path())->empty());
  CHECK(files_in(directory.path()) == 0);
}

TEST_CASE("sim bus: a reused pid is not the run that wrote the file", "[sim]") {
  const TemporaryDirectory directory;
  auto run = run_of({});
  run.pid = ::getpid();
  run.start_ticks = 1;  // long before this process
  const auto path = directory.path() + "/" + std::to_string(run.pid) + ".json";
  write_file(path, to_json(run));
  CHECK(read_sim_bus(directory.path())->empty());
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("sim bus: torn, huge and foreign files are passed over; a living process's file is left alone", "[sim]") {
  const TemporaryDirectory directory;
  const auto own = directory.path() + "/" + std::to_string(::getpid()) + ".json";
  write_file(own, to_json(run_of({})).substr(0, 100));
  write_file(directory.path() + "/notes.txt", "hello");
  write_file(directory.path() + "/-5.json", "{}");
  write_file(directory.path() + "/12x.json", "{}");
  std::filesystem::create_symlink("/dev/zero", directory.path() + "/1.json");  // init lives
  CHECK(read_sim_bus(directory.path())->empty());
  CHECK(std::filesystem::exists(own));
  write_file(own, std::string(1U << 20U, ' '));
  CHECK(read_sim_bus(directory.path())->empty());
  CHECK(files_in(directory.path()) == 5);
}

TEST_CASE("sim bus: a directory others may write to is not trusted", "[sim]") {
  const TemporaryDirectory directory;
  ::chmod(directory.path().c_str(), 0777);
  const auto runs = read_sim_bus(directory.path());
  REQUIRE_FALSE(runs.ok());
  CHECK(runs.error().kind == Error::Kind::kPermission);
  CHECK(runs.error().message.find(directory.path()) != std::string::npos);
  CHECK_FALSE(SimBusEntry::open(directory.path()).ok());
  write_file(directory.path() + "/file", "");
  CHECK_FALSE(SimBusEntry::open(directory.path() + "/file").ok());
}

TEST_CASE("sim bus: where it is", "[sim]") {
  const TemporaryDirectory runtime;
  const Environment xdg{"XDG_RUNTIME_DIR", runtime.path().c_str()};
  {
    const Environment own{"GPUTOP_SIM_BUS", "/some/where"};
    CHECK(sim_bus_directory() == "/some/where");
  }
  const Environment none{"GPUTOP_SIM_BUS", nullptr};
  CHECK(sim_bus_directory() == runtime.path() + "/gputop/sim");
  const Environment gone{"XDG_RUNTIME_DIR", "/nonexistent/runtime"};
  CHECK(sim_bus_directory() == "/tmp/gputop-sim-" + std::to_string(::geteuid()));
}

TEST_CASE("sim closed loop: the card is idle, works for the runs that come, and is idle again", "[sim]") {
  const TemporaryDirectory directory;
  const Environment bus{"GPUTOP_SIM_BUS", directory.path().c_str()};
  auto source = make_sim_source("");
  REQUIRE(source.ok());
  std::vector<GpuReading> last;
  std::string status;
  (*source)->start(Instant{}, [&](const Event& event) {
    if (const auto* sampled = std::get_if<GpusSampled>(&event.payload)) last = sampled->gpus;
    if (const auto* said = std::get_if<SourceStatus>(&event.payload)) status = said->source;
  });
  CHECK(status == "sim");
  (*source)->tick(at_seconds(0));
  REQUIRE(last.size() == 1);
  CHECK(last[0].name == "NVIDIA GeForce RTX 3090");
  CHECK(last[0].utilization == 0_percent);
  CHECK(last[0].processes->empty());
  const auto cold = *last[0].temperature;

  auto small = example_process(directory.path(), run_of({}));
  (*source)->tick(at_seconds(1));
  REQUIRE(last[0].processes->size() == 1);
  CHECK(last[0].processes->front().pid == small.pid());
  CHECK(last[0].utilization->value() == Approx(22).margin(10));
  const auto alone = *last[0].memory_used;
  CHECK(*last[0].temperature < cold + Celsius{5});  // not hot at once

  SimRunConfig larger;
  larger.batch_size = 64;
  larger.workers = 6;
  auto large = example_process(directory.path(), run_of(larger));
  (*source)->tick(at_seconds(2));
  REQUIRE(last[0].processes->size() == 2);
  CHECK(*last[0].memory_used > alone + 10_GiB);
  CHECK(*last[0].utilization > 90_percent);

  small.end(SIGKILL);
  (*source)->tick(at_seconds(100));
  (*source)->tick(at_seconds(200));
  REQUIRE(last[0].processes->size() == 1);
  CHECK(last[0].processes->front().pid == large.pid());
  CHECK(*last[0].temperature > 60_celsius);
  large.end(SIGKILL);
  (*source)->tick(at_seconds(201));
  CHECK(last[0].processes->empty());
  CHECK(last[0].utilization == 0_percent);
}

TEST_CASE("sim closed loop: the machine has the cards its runs ask for", "[sim]") {
  const TemporaryDirectory directory;
  const Environment bus{"GPUTOP_SIM_BUS", directory.path().c_str()};
  auto source = make_sim_source("");
  std::vector<GpuReading> last;
  (*source)->start(Instant{}, [&](const Event& event) {
    if (const auto* sampled = std::get_if<GpusSampled>(&event.payload)) last = sampled->gpus;
  });
  const auto first = example_process(directory.path(), run_of({}, "RTX 3070"));
  CHECK(read_once(**source, at_seconds(1), last).at(0).memory_total == 8_GiB);
  const auto second = example_process(directory.path(), run_of({}, "A100 80GB"));
  const auto gpus = read_once(**source, at_seconds(2), last);
  REQUIRE(gpus.size() == 2);
  CHECK(gpus[0].index == 0);
  CHECK(gpus[1].index == 1);
  CHECK(gpus[0].processes->size() == 1);
  CHECK(gpus[1].processes->size() == 1);
  const auto unknown = example_process(directory.path(), run_of({}, "Voodoo 2"));
  CHECK(read_once(**source, at_seconds(3), last).size() == 2);
}

TEST_CASE("sim closed loop: a bus that cannot be trusted is said once, and the card is idle", "[sim]") {
  const TemporaryDirectory directory;
  ::chmod(directory.path().c_str(), 0777);
  const Environment bus{"GPUTOP_SIM_BUS", directory.path().c_str()};
  auto source = make_sim_source("");
  int warnings = 0;
  std::vector<GpuReading> last;
  (*source)->start(Instant{}, [&](const Event& event) {
    if (std::holds_alternative<Noted>(event.payload)) ++warnings;
    if (const auto* sampled = std::get_if<GpusSampled>(&event.payload)) last = sampled->gpus;
  });
  for (int i = 1; i < 4; ++i) (*source)->tick(at_seconds(i));
  CHECK(warnings == 1);
  REQUIRE(last.size() == 1);
  CHECK(last[0].utilization == 0_percent);
}
