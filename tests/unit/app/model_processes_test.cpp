#include <catch2/catch_test_macros.hpp>

#include "gputop/app/model.hpp"
#include "unit/app/model_events.hpp"

using namespace gputop;
using namespace gputop::literals;

namespace {

GpuReading gpu_with(unsigned index, std::vector<GpuProcess> processes) {
  auto reading = gpu(index, "uuid " + std::to_string(index));
  reading.processes = std::move(processes);
  return reading;
}

std::vector<std::pair<std::int64_t, int>> keys(const Model& model) {  // PID and GPU, -1 for none
  std::vector<std::pair<std::int64_t, int>> result;
  for (const auto& row : model.processes) result.emplace_back(row.pid, row.gpu ? static_cast<int>(*row.gpu) : -1);
  return result;
}
using Keys = std::vector<std::pair<std::int64_t, int>>;

}  // namespace

TEST_CASE("processes: the driver's and the host's words joined by PID", "[app]") {
  Model model;
  feed(model, 1, gpus({gpu_with(0, {on_gpu(20, 1_GiB), on_gpu(10, 2_GiB)})}));
  feed(model, 1, ProcessesSampled{{process(10, "train"), process(30, "loader")}});
  REQUIRE(keys(model) == Keys{{10, 0}, {20, 0}, {30, -1}});
  const auto& joined = model.processes[0];
  CHECK(joined.gpu_memory == 2_GiB);
  CHECK(joined.sm == 30_percent);
  CHECK(joined.type == GpuProcessType::kBoth);
  CHECK(joined.host->command == "train");
  CHECK_FALSE(model.processes[1].host);  // the host does not know it
  CHECK(model.processes[2].host->command == "loader");
  CHECK_FALSE(model.processes[2].type);
}

TEST_CASE("processes: one on several GPUs has a row and the host's words on each", "[app]") {
  Model model;
  feed(model, 1, ProcessesSampled{{process(5, "first"), process(10, "train"), process(11, "last")}});
  feed(model, 1,
       gpus({gpu_with(0, {on_gpu(10, 1_GiB)}), gpu_with(1, {on_gpu(10, 2_GiB), on_gpu(11, 1_GiB)}),
             gpu_with(2, {on_gpu(10, 3_GiB)})}));
  REQUIRE(keys(model) == Keys{{5, -1}, {10, 0}, {10, 1}, {10, 2}, {11, 1}});
  for (std::size_t i = 1; i < 4; ++i) CHECK(model.processes[i].host->command == "train");
  CHECK(model.processes[4].host->command == "last");
}

TEST_CASE("processes: the host's words outlive a GPU reading, and the other way round", "[app]") {
  Model model;
  feed(model, 1, ProcessesSampled{{process(10, "train")}});
  feed(model, 2, gpus({gpu_with(0, {on_gpu(10, 1_GiB)}), gpu_with(1, {on_gpu(10, 1_GiB)})}));
  feed(model, 3, gpus({gpu_with(0, {on_gpu(10, 4_GiB)}), gpu_with(1, {on_gpu(10, 1_GiB)})}));
  REQUIRE(keys(model) == Keys{{10, 0}, {10, 1}});
  CHECK(model.processes[0].gpu_memory == 4_GiB);
  CHECK(model.processes[0].host->command == "train");
  CHECK(model.processes[1].host->command == "train");
  feed(model, 4, ProcessesSampled{{process(10, "train --more")}});
  CHECK(model.processes[0].gpu_memory == 4_GiB);
  CHECK(model.processes[1].host->command == "train --more");
}

TEST_CASE("processes: one that ended leaves both lists", "[app]") {
  Model model;
  feed(model, 1, ProcessesSampled{{process(10)}});
  feed(model, 1, gpus({gpu_with(0, {on_gpu(10, 1_GiB)})}));
  feed(model, 2, gpus({gpu_with(0, {})}));
  CHECK(keys(model) == Keys{{10, -1}});
  feed(model, 2, ProcessesSampled{});
  CHECK(model.processes.empty());
}

TEST_CASE("processes: a driver that would not say leaves the host's", "[app]") {
  Model model;
  feed(model, 1, ProcessesSampled{{process(10)}});
  feed(model, 1, gpus({gpu(0)}));
  CHECK(keys(model) == Keys{{10, -1}});
  feed(model, 2, gpus({gpu_with(0, {on_gpu(10, 1_GiB)})}));
  feed(model, 3, unavailable("nvml", "gone"));
  CHECK(keys(model) == Keys{{10, -1}});
}

TEST_CASE("processes: a careless list, unsorted and with one twice, is taken in order", "[app]") {
  Model model;
  feed(model, 1, ProcessesSampled{{process(30), process(10, "first"), process(20), process(10, "second")}});
  REQUIRE(keys(model) == Keys{{10, -1}, {20, -1}, {30, -1}});
  CHECK(model.processes[0].host->command == "first");
}
