#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <map>

#include "unit/sources/host_fixture.hpp"

using namespace gputop;
using namespace gputop::host;

namespace {

// Process → root.
std::map<std::int64_t, std::int64_t> roots(const std::vector<ProcessReading>& processes) {
  std::map<std::int64_t, std::int64_t> result;
  for (const auto& process : processes) result[process.pid] = process.root;
  return result;
}
using Roots = std::map<std::int64_t, std::int64_t>;

// A machine whose kernel may or may not list the children of a thread.
class Family {
 public:
  explicit Family(bool lists_children) : lists_children_(lists_children) {}

  void add(std::int64_t pid, std::int64_t parent, std::uint64_t start_ticks = 500) {
    FakeProcess{.pid = pid, .parent = parent, .start_ticks = start_ticks}.write(machine_);
    parents_[pid] = parent;
    write_children();
  }
  void remove(std::int64_t pid) {
    machine_.remove("proc/" + std::to_string(pid));
    parents_.erase(pid);
    for (auto& [child, parent] : parents_) {
      if (parent == pid) add(child, 1);
    }
    write_children();
  }
  [[nodiscard]] const Machine& machine() const { return machine_; }

 private:
  void write_children() {
    if (!lists_children_) return;
    for (const auto& [pid, ignored] : parents_) {
      std::string list;
      for (const auto& [child, parent] : parents_) {
        if (parent == pid) list += std::to_string(child) + " ";
      }
      const auto task = "proc/" + std::to_string(pid) + "/task/" + std::to_string(pid);
      machine_.write(task + "/children", list);
    }
  }

  bool lists_children_;
  Machine machine_;
  std::map<std::int64_t, std::int64_t> parents_;
};

}  // namespace

TEST_CASE("tree: all descendants of a root are followed, and nobody else", "[host]") {
  Family family{GENERATE(true, false)};
  family.add(1, 0);
  family.add(10, 1);
  family.add(11, 10);
  family.add(12, 11);
  family.add(5, 12);  // numbers wrap around
  family.add(20, 1);
  Ticked ticked{family.machine().options()};
  ticked.source().watch({20, 12}, {10});
  CHECK(roots(ticked.processes_at(0)) == Roots{{5, 10}, {10, 10}, {11, 10}, {12, 10}, {20, 20}});
}

TEST_CASE("tree: new children appear within a second, dead ones are gone at once", "[host]") {
  Family family{GENERATE(true, false)};
  family.add(10, 1);
  family.add(11, 10);
  Ticked ticked{family.machine().options()};
  ticked.source().watch({}, {10});
  ticked.tick(0);
  family.add(12, 10);
  family.remove(11);
  CHECK(roots(ticked.processes_at(0.5)) == Roots{{10, 10}});
  CHECK(roots(ticked.processes_at(1.1)) == Roots{{10, 10}, {12, 10}});
}

TEST_CASE("tree: a process whose parent died stays in it, with the children it has later", "[host]") {
  Family family{GENERATE(true, false)};
  family.add(1, 0);
  family.add(10, 1);
  family.add(11, 10);
  family.add(12, 11);
  Ticked ticked{family.machine().options()};
  ticked.source().watch({}, {10});
  ticked.tick(0);
  family.remove(11);
  family.add(13, 12);
  const auto processes = ticked.processes_at(2);
  CHECK(roots(processes) == Roots{{10, 10}, {12, 10}, {13, 10}});
  CHECK(processes.at(1).parent == 1);
}

TEST_CASE("tree: a number used again by a stranger leaves the tree", "[host]") {
  Family family{GENERATE(true, false)};
  family.add(10, 1);
  family.add(11, 10);
  Ticked ticked{family.machine().options()};
  ticked.source().watch({}, {10});
  ticked.tick(0);
  family.add(11, 1, 9000);
  CHECK(roots(ticked.processes_at(0.5)) == Roots{{10, 10}});
}

TEST_CASE("tree: the nearest root counts, also when it is named later", "[host]") {
  Family family{GENERATE(true, false)};
  family.add(10, 1);
  family.add(11, 10);
  family.add(12, 11);
  Ticked ticked{family.machine().options()};
  ticked.source().watch({}, {10});
  ticked.tick(0);
  ticked.source().watch({}, {11, 10, 11});
  CHECK(roots(ticked.processes_at(0.1)) == Roots{{10, 10}, {11, 11}, {12, 11}});
  ticked.source().watch({}, {10});
  CHECK(roots(ticked.processes_at(0.2)) == Roots{{10, 10}, {11, 10}, {12, 10}});
  ticked.source().watch({}, {});
  CHECK(ticked.processes_at(0.3).empty());
}

TEST_CASE("tree: a root that is not there yet is followed once it is", "[host]") {
  Family family{GENERATE(true, false)};
  family.add(1, 0);
  Ticked ticked{family.machine().options()};
  ticked.source().watch({}, {10});
  CHECK(ticked.processes_at(0).empty());
  family.add(10, 1);
  family.add(11, 10);
  CHECK(roots(ticked.processes_at(2)) == Roots{{10, 10}, {11, 10}});
}

TEST_CASE("tree: children of every thread are found", "[host]") {
  Family family{true};
  family.add(10, 1);
  family.machine().write("proc/10/task/17/children", "18 ");
  FakeProcess{.pid = 18, .parent = 10}.write(family.machine());
  family.machine().write("proc/18/task/18/children", "");
  Ticked ticked{family.machine().options()};
  ticked.source().watch({}, {10});
  CHECK(roots(ticked.processes_at(0)) == Roots{{10, 10}, {18, 10}});
}

TEST_CASE("tree: one with very many threads is found by its parents", "[host]") {
  Family family{true};
  family.add(10, 1);
  for (int thread = 0; thread < 1100; ++thread) {
    family.machine().make_folder("proc/10/task/" + std::to_string(10000 + thread));
  }
  FakeProcess{.pid = 11, .parent = 10}.write(family.machine());  // in no list of children
  Ticked ticked{family.machine().options()};
  ticked.source().watch({}, {10});
  CHECK(roots(ticked.processes_at(0)) == Roots{{10, 10}, {11, 10}});
}

TEST_CASE("tree: on a full machine the first look is spread over some ticks and finds everything", "[host]") {
  Family family{false};
  family.add(1000, 1);
  for (std::int64_t pid = 1; pid < 900; ++pid) FakeProcess{.pid = pid, .parent = 1}.write(family.machine());
  family.add(1001, 1000);
  FakeProcess{.pid = 899, .parent = 1001}.write(family.machine());
  Ticked ticked{family.machine().options()};
  ticked.source().watch({}, {1000});
  CHECK(roots(ticked.processes_at(0)) == Roots{{1000, 1000}, {1001, 1000}});
  ticked.tick(0.1);
  ticked.tick(0.2);
  CHECK(roots(ticked.processes_at(0.3)) == Roots{{899, 1000}, {1000, 1000}, {1001, 1000}});
}
