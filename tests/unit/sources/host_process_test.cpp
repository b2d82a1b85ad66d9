#include <catch2/catch_test_macros.hpp>

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "sources/host/proc_text.hpp"
#include "sources/host/user_names.hpp"
#include "unit/sources/host_fixture.hpp"

using namespace gputop;
using namespace gputop::host;
using namespace std::chrono_literals;

namespace {

const double kTicksPerSecond = static_cast<double>(sysconf(_SC_CLK_TCK));

std::uint64_t ticks(double seconds) {
  return static_cast<std::uint64_t>(seconds * kTicksPerSecond);
}

// A machine with eight CPUs.
void with_cpus(const Machine& machine) {
  std::string stat = "cpu  0 0 0 0 0 0 0 0\n";
  for (int i = 0; i < 8; ++i) stat += "cpu" + std::to_string(i) + " 0 0 0 0 0 0 0 0\n";
  machine.write("proc/stat", stat + "btime 1000000000\n");
}

}  // namespace

TEST_CASE("process: what /proc says of a watched one", "[host]") {
  const Machine machine;
  with_cpus(machine);
  FakeProcess process{.pid = 42,
                      .parent = 7,
                      .user_ticks = ticks(3),
                      .system_ticks = ticks(1),
                      .threads = 5,
                      .start_ticks = ticks(10),
                      .resident_pages = 1000};
  process.write(machine);
  Ticked ticked{machine.options()};
  ticked.source().watch({42}, {});
  auto first = ticked.processes_at(0).at(0);
  while (first.user != "user1000") first = ticked.processes_at(0).at(0);  // the name may take a moment
  CHECK(first.pid == 42);
  CHECK(first.root == 42);
  CHECK(first.parent == 7);
  CHECK(first.state == 'S');
  CHECK(first.threads == 5);
  CHECK(first.uid == 1000);
  CHECK(first.command == "python train.py");
  CHECK(first.cpu_time == 4s);
  CHECK(first.resident == Bytes{1000 * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))});
  CHECK(first.started == WallTime{1000000010s});
  CHECK_FALSE(first.cpu);
  CHECK_FALSE(first.read);
  CHECK_FALSE(first.involuntary_switches);
}

TEST_CASE("process: rates between two ticks", "[host]") {
  const Machine machine;
  with_cpus(machine);
  FakeProcess process{.pid = 42};
  process.write(machine);
  Ticked ticked{machine.options()};
  ticked.source().watch({42}, {});
  ticked.tick(0);
  process.user_ticks = ticks(2);
  process.system_ticks = ticks(1);
  process.bytes_read = 4000;
  process.bytes_written = 2000;
  process.involuntary_switches = 10;
  process.write(machine);
  auto now = ticked.processes_at(2).at(0);
  CHECK(now.cpu == Percent{150});
  CHECK(now.read == BytesPerSecond{2000});
  CHECK(now.write == BytesPerSecond{1000});
  CHECK(now.involuntary_switches == 5.0);

  SECTION("a tick at the same moment repeats them") {
    process.user_ticks += 1;
    process.write(machine);
    now = ticked.processes_at(2).at(0);
    CHECK(now.cpu == Percent{150});
    CHECK(now.read == BytesPerSecond{2000});
  }
  SECTION("counters that go backwards are unknown") {
    process.user_ticks = 0;
    process.bytes_read = 0;
    process.write(machine);
    now = ticked.processes_at(4).at(0);
    CHECK_FALSE(now.cpu);
    CHECK_FALSE(now.read);
    CHECK(now.write == BytesPerSecond{0});
  }
  SECTION("more than all CPUs can give is not shown") {
    process.user_ticks += ticks(1000);
    process.write(machine);
    CHECK(ticked.processes_at(3).at(0).cpu == Percent{800});
  }
}

TEST_CASE("process: I/O of other users is unknown, the rest is not", "[host]") {
  const Machine machine;
  FakeProcess process{.pid = 42, .uid = 99, .io_readable = false};
  process.write(machine);
  Ticked ticked{machine.options()};
  ticked.source().watch({42}, {});
  ticked.tick(0);
  const auto now = ticked.processes_at(1).at(0);
  CHECK_FALSE(now.read);
  CHECK_FALSE(now.write);
  CHECK(now.cpu == Percent{0});
  CHECK(now.user == "99");  // no such user
}

TEST_CASE("process: a number that is used again starts anew", "[host]") {
  const Machine machine;
  FakeProcess process{.pid = 42, .user_ticks = 10};
  process.write(machine);
  Ticked ticked{machine.options()};
  ticked.source().watch({42}, {});
  ticked.tick(0);
  process.start_ticks += ticks(5);
  process.user_ticks = ticks(50);
  process.command = "other\0"s;
  process.write(machine);
  auto now = ticked.processes_at(1).at(0);
  CHECK_FALSE(now.cpu);
  CHECK(now.command == "other");
  CHECK(now.started == WallTime{1000000000s + 5s + std::chrono::milliseconds{500 * 1000 / ticks(1)}});
  process.user_ticks += ticks(0.5);
  process.write(machine);
  CHECK(ticked.processes_at(2).at(0).cpu == Percent{50});
}

TEST_CASE("process: one that ends is gone, one that never was is not there", "[host]") {
  const Machine machine;
  FakeProcess{.pid = 42}.write(machine);
  FakeProcess{.pid = 43}.write(machine);
  Ticked ticked{machine.options()};
  ticked.source().watch({43, 42, 99, 0, -3, 42}, {});
  const auto processes = ticked.processes_at(0);
  REQUIRE(processes.size() == 2);
  CHECK(processes[0].pid == 42);
  CHECK(processes[1].pid == 43);
  machine.remove("proc/42");
  CHECK(ticked.processes_at(1).size() == 1);
  ticked.source().watch({}, {});
  CHECK(ticked.processes_at(2).empty());
}

TEST_CASE("process: files that vanish between two reads cost only their readings", "[host]") {
  const Machine machine;
  FakeProcess{.pid = 42}.write(machine);
  for (const auto* name : {"status", "io", "cmdline"}) machine.remove(std::string{"proc/42/"} + name);
  Ticked ticked{machine.options()};
  ticked.source().watch({42}, {});
  const auto now = ticked.processes_at(0).at(0);
  CHECK(now.command == "[python]");
  CHECK_FALSE(now.uid);
  CHECK(now.user.empty());
  CHECK(now.threads == 1);
}

TEST_CASE("process: names with blanks and parentheses do not shift the fields", "[host]") {
  const Machine machine;
  FakeProcess{.pid = 42, .parent = 5, .name = "a) R 1 (b c", .command = ""}.write(machine);
  Ticked ticked{machine.options()};
  ticked.source().watch({42}, {});
  const auto now = ticked.processes_at(0).at(0);
  CHECK(now.parent == 5);
  CHECK(now.state == 'S');
  CHECK(now.command == "[a) R 1 (b c]");
}

TEST_CASE("process: commands are shown harmless and at most a few KiB of them", "[host]") {
  const Machine machine;
  FakeProcess process{.pid = 42};
  process.command = "sh\0-c\0echo \x1b]0;pwned\x07\0\0\0\0"s;
  process.write(machine);
  FakeProcess large{.pid = 43};
  large.command = std::string(1 << 20, 'x');
  large.write(machine);
  Ticked ticked{machine.options()};
  ticked.source().watch({42, 43}, {});
  const auto processes = ticked.processes_at(0);
  CHECK(processes.at(0).command == "sh -c echo ·]0;pwned·");
  CHECK(processes.at(1).command.size() == 4096);
}

TEST_CASE("process: secrets on a command line are masked before anybody sees them", "[host]") {
  const Machine machine;
  FakeProcess process{.pid = 42};
  process.command = "python\0train.py\0--hf-token\0two words\0--lr=0.1\0DB_PASSWORD=x y\0"s;
  process.write(machine);
  FakeProcess renamed{.pid = 43};
  renamed.command = "rank 0 --api-key abc --epochs 3"s;
  renamed.write(machine);
  Ticked ticked{machine.options()};
  ticked.source().watch({42, 43}, {});
  const auto processes = ticked.processes_at(0);
  CHECK(processes.at(0).command == "python train.py --hf-token *** --lr=0.1 DB_PASSWORD=***");
  CHECK(processes.at(1).command == "rank 0 --api-key *** --epochs 3");
}

TEST_CASE("process: a command that changes is noticed", "[host]") {
  const Machine machine;
  FakeProcess process{.pid = 42, .name = "sh", .command = "sh\0"s};
  process.write(machine);
  Ticked ticked{machine.options()};
  ticked.source().watch({42}, {});
  CHECK(ticked.processes_at(0).at(0).command == "sh");
  process.name = "python";
  process.command = "python\0train.py\0"s;
  process.write(machine);
  CHECK(ticked.processes_at(1).at(0).command == "python train.py");  // exec
  process.command = "rank 0\0"s;
  process.write(machine);
  CHECK(ticked.processes_at(30).at(0).command == "rank 0");  // setproctitle
}

TEST_CASE("process: a dead one keeps the command it had; of a hanging one it is not asked for", "[host]") {
  const Machine machine;
  FakeProcess process{.pid = 42};
  process.write(machine);
  FakeProcess{.pid = 43, .state = 'D'}.write(machine);
  Ticked ticked{machine.options()};
  ticked.source().watch({42, 43}, {});
  CHECK(ticked.processes_at(0).at(1).command == "[python]");
  process.state = 'Z';
  process.command = "";
  process.write(machine);
  const auto now = ticked.processes_at(30).at(0);
  CHECK(now.state == 'Z');
  CHECK(now.command == "python train.py");
}

TEST_CASE("process: damaged stat lines are no process", "[host]") {
  CHECK_FALSE(parse_process_stat(""));
  CHECK_FALSE(parse_process_stat("42 (python"));
  CHECK_FALSE(parse_process_stat(") 42 ( S 1"));
  CHECK_FALSE(parse_process_stat("42 (python) S 1 1 1 0"));
  CHECK_FALSE(parse_process_stat("42 (python) SS 1 1 1 0 -1 1 9 0 0 0 1 1 7 7 20 0 1 0 5 100 25"));
  CHECK(parse_process_stat("42 (python) S 1 1 1 0 -1 1 9 0 0 0 1 1 7 7 20 0 1 0 5 100 25"));
}

TEST_CASE("process: a slow directory of users does not hold up the tick", "[host]") {
  struct Gate {
    std::mutex mutex;
    std::condition_variable opened;
    bool open = false;
    int looked_up = 0;
  };
  const auto gate = std::make_shared<Gate>();
  UserNames users{[gate](std::uint64_t) {
    std::unique_lock lock{gate->mutex};
    gate->opened.wait(lock, [&] { return gate->open; });
    ++gate->looked_up;
    gate->opened.notify_all();
    return std::string{"ada"};
  }};
  CHECK(users.name(1000) == "1000");
  CHECK(users.name(1001) == "1001");
  {
    std::unique_lock lock{gate->mutex};
    gate->open = true;
    gate->opened.notify_all();
    gate->opened.wait(lock, [&] { return gate->looked_up == 2; });
  }
  // The answer is in the map a moment after the look-up returned.
  while (users.name(1001) != "ada") std::this_thread::yield();
  CHECK(users.name(1000) == "ada");
}

TEST_CASE("process: user names are made harmless and asked for once", "[host]") {
  auto asked = std::make_shared<std::atomic<int>>(0);
  UserNames users{[asked](std::uint64_t) {
    ++*asked;
    return std::string{
        "a\x1b"
        "b"};
  }};
  while (users.name(5) != "a·b") std::this_thread::yield();
  users.name(5);
  CHECK(*asked == 1);
}
