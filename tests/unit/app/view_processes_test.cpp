#include <catch2/catch_test_macros.hpp>

#include "gputop/app/view_processes.hpp"

using namespace gputop;
using namespace gputop::literals;

namespace {

ProcessRow row(std::int64_t pid, std::int64_t parent, Reading<Bytes> memory, std::string command = "x") {
  ProcessRow row;
  row.pid = pid;
  row.gpu_memory = memory;
  row.host.emplace();
  row.host->pid = pid;
  row.host->parent = parent;
  row.host->command = std::move(command);
  return row;
}

std::vector<std::int64_t> pids(const std::vector<ProcessRow>& rows, const std::vector<ProcessLine>& lines) {
  std::vector<std::int64_t> result;
  for (const auto& line : lines) result.push_back(rows[line.row].pid);
  return result;
}

using Pids = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("every column has a name that leads back to it", "[processes]") {
  for (std::size_t i = 0; i < kProcessColumns; ++i) {
    CHECK(process_column(kProcessColumnText[i].name) == static_cast<ProcessColumn>(i));
    CHECK_FALSE(kProcessColumnText[i].meaning.empty());
  }
  CHECK_FALSE(process_column("nonsense"));
}

TEST_CASE("unknown values come last whichever way the order goes", "[processes]") {
  const std::vector<ProcessRow> rows{row(1, 0, std::nullopt), row(2, 0, 5_GiB), row(3, 0, 7_GiB)};
  CHECK(pids(rows, arrange(rows, {ProcessColumn::kGpuMemory, true, false}, nullptr)) == Pids{3, 2, 1});
  CHECK(pids(rows, arrange(rows, {ProcessColumn::kGpuMemory, false, false}, nullptr)) == Pids{2, 3, 1});
}

TEST_CASE("equal values are ordered by PID", "[processes]") {
  const std::vector<ProcessRow> rows{row(9, 0, 1_GiB), row(4, 0, 1_GiB)};
  CHECK(pids(rows, arrange(rows, {}, nullptr)) == Pids{4, 9});
}

TEST_CASE("every column can be sorted by, with and without values", "[processes]") {
  std::vector<ProcessRow> rows{row(2, 0, 1_GiB, "b"), row(1, 0, std::nullopt, "a")};
  rows.emplace_back();
  rows.back().pid = 3;
  for (std::size_t i = 0; i < kProcessColumns; ++i) {
    for (const bool descending : {true, false}) {
      CHECK(arrange(rows, {static_cast<ProcessColumn>(i), descending, false}, nullptr).size() == 3);
    }
  }
  CHECK(pids(rows, arrange(rows, {ProcessColumn::kCommand, false, false}, nullptr)) == Pids{1, 2, 3});
}

TEST_CASE("the longest running process is the largest by time", "[processes]") {
  std::vector<ProcessRow> rows{row(1, 0, 1_GiB), row(2, 0, 1_GiB)};
  rows[0].host->started = WallTime{std::chrono::milliseconds{1000}};
  rows[1].host->started = WallTime{std::chrono::milliseconds{500}};
  CHECK(pids(rows, arrange(rows, {ProcessColumn::kTime, true, false}, nullptr)) == Pids{2, 1});
  CHECK(running_time(rows[0], WallTime{std::chrono::milliseconds{4000}}) == Duration{std::chrono::seconds{3}});
  CHECK(running_time(rows[0], WallTime{}) == Duration{});
  CHECK_FALSE(running_time(ProcessRow{}, WallTime{}));
}

TEST_CASE("a tree puts children below their parents", "[processes]") {
  const std::vector<ProcessRow> rows{row(10, 1, 1_GiB), row(11, 10, 9_GiB), row(12, 11, 2_GiB), row(20, 1, 5_GiB)};
  const auto lines = arrange(rows, {ProcessColumn::kGpuMemory, true, true}, nullptr);
  CHECK(pids(rows, lines) == Pids{20, 10, 11, 12});
  CHECK(lines[3].depth == 2);
}

TEST_CASE("parents that form a loop lose no process", "[processes]") {
  const std::vector<ProcessRow> rows{row(1, 2, 1_GiB), row(2, 1, 2_GiB), row(3, 3, 3_GiB)};
  CHECK(arrange(rows, {ProcessColumn::kGpuMemory, true, true}, nullptr).size() == 3);
}

TEST_CASE("a process on two GPUs keeps both lines in a tree", "[processes]") {
  std::vector<ProcessRow> rows{row(1, 0, 1_GiB), row(1, 0, 2_GiB), row(2, 1, 1_GiB)};
  rows[0].gpu = 0;
  rows[1].gpu = 1;
  CHECK(pids(rows, arrange(rows, {ProcessColumn::kPid, false, true}, nullptr)) == Pids{1, 1, 2});
}

TEST_CASE("the filter looks at PID, user and command", "[processes]") {
  std::vector<ProcessRow> rows{row(123, 0, 1_GiB, "python train.py"), row(77, 0, 1_GiB, "Xorg")};
  rows[1].host->user = "root";
  const auto shown = [&](std::string_view expression) {
    const auto pattern = Pattern::compile(expression);
    REQUIRE(pattern);
    return pids(rows, arrange(rows, {}, &*pattern));
  };
  CHECK(shown("train") == Pids{123});
  CHECK(shown("root") == Pids{77});
  CHECK(shown("^123 ") == Pids{123});
  CHECK(shown("nothing").empty());
}
