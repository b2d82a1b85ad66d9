#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "gputop/fleet/fleet.hpp"
#include "samples.hpp"

using namespace gputop;
using namespace gputop::fleet;
using namespace gputop::fleet::test;
using Catch::Approx;

TEST_CASE("fleet: gputop's own metrics make nodes, GPUs and users", "[fleet]") {
  Answers answers;
  add_gpu(answers, "n1", 0, 0.9, "ada");
  add_gpu(answers, "n1", 1, 0.0, "bob");
  add_gpu(answers, "n2", 0, 0.0, "");
  const auto fleet = build(answers);
  REQUIRE(fleet.nodes.size() == 2);
  CHECK(fleet.nodes[0].name == "n1");
  CHECK(fleet.nodes[0].gpus == 2);
  CHECK(fleet.nodes[0].held == 2);
  CHECK(*fleet.nodes[0].utilization == Approx(45));
  CHECK(fleet.gpus.size() == 3);
  CHECK(*fleet.utilization() == Approx(30));
  CHECK(fleet.users.size() == 2);
  CHECK(fleet.exporters == std::vector<std::string>{"gputop"});
  const auto* gpu = fleet.gpu("GPU-n1-0");
  REQUIRE(gpu != nullptr);
  CHECK(gpu->index == "0");
  CHECK(gpu->name == "NVIDIA H100");
  CHECK(gpu->memory_used == Bytes{2147483648});
  CHECK(gpu->utilization_of.query == "gputop_gpu_utilization_ratio{uuid=\"GPU-n1-0\"}");
  CHECK(gpu->utilization_of.factor == 100);
  CHECK_FALSE(gpu->power);
}

TEST_CASE("fleet: idle but held needs a holder and half an hour", "[fleet]") {
  Answers answers;
  add_gpu(answers, "n1", 0, 0.0, "ada");
  add_gpu(answers, "n1", 1, 0.0, "");
  add_gpu(answers, "n1", 2, 0.0, "bob");
  answers.recent.pop_back();  // GPU 2 was not there half an hour ago
  const auto fleet = build(answers);
  CHECK(fleet.wasted() == 1);
  REQUIRE(trouble(fleet, "idle but held") != nullptr);
  CHECK(trouble(fleet, "idle but held")->gpu == "GPU-n1-0");
  CHECK(trouble(fleet, "idle but held")->text.find("by ada") != std::string::npos);
  CHECK(fleet.nodes[0].level == Level::kWarning);
}

namespace {

// One GPU by one exporter's names; its figures in the units of the screen.
Gpu only_gpu(const std::vector<Sample>& now) {
  Answers answers;
  answers.now = now;
  auto fleet = build(answers);
  REQUIRE(fleet.gpus.size() == 1);
  return fleet.gpus[0];
}

}  // namespace

TEST_CASE("fleet: a figure that cannot be is unknown, and another exporter's is taken", "[fleet]") {
  const Labels labels{{"Hostname", "n1"}, {"UUID", "GPU-1"}, {"gpu", "0"}};
  for (const double wrong : {-1.0, 2147483632.0, 1e17}) {
    const auto gpu = only_gpu({sample("DCGM_FI_DEV_GPU_UTIL", labels, wrong), sample("DCGM_FI_DEV_GPU_TEMP", labels, 1e9),
                               sample("DCGM_FI_DEV_POWER_USAGE", labels, wrong)});
    CHECK_FALSE(gpu.utilization);
    CHECK_FALSE(gpu.temperature);
    CHECK_FALSE(gpu.power);
  }
  const auto gpu = only_gpu({sample("DCGM_FI_DEV_GPU_UTIL", labels, -1), sample("nvidia_smi_utilization_gpu_ratio", {{"uuid", "1"}}, 0.5)});
  CHECK(gpu.utilization == Percent{50});
}

TEST_CASE("fleet: dcgm-exporter by its old names", "[fleet]") {
  const Labels labels{{"instance", "10.0.0.7:9400"}, {"Hostname", "n7"}, {"UUID", "GPU-a"}, {"gpu", "3"}, {"modelName", "NVIDIA A100"}};
  const auto gpu = only_gpu({sample("DCGM_FI_DEV_GPU_UTIL", labels, 83), sample("DCGM_FI_DEV_FB_USED", labels, 1024),
                             sample("DCGM_FI_DEV_FB_FREE", labels, 3072), sample("DCGM_FI_DEV_GPU_TEMP", labels, 55),
                             sample("DCGM_FI_DEV_POWER_USAGE", labels, 301.5)});
  CHECK(gpu.node == "n7");
  CHECK(gpu.index == "3");
  CHECK(gpu.name == "NVIDIA A100");
  CHECK(gpu.utilization->value() == Approx(83));
  CHECK(gpu.memory_used == Bytes{std::uint64_t{1} << 30U});
  CHECK(gpu.memory_total == Bytes{std::uint64_t{4} << 30U});
  CHECK(gpu.temperature->value() == Approx(55));
  CHECK(gpu.power->value() == Approx(301.5));
  CHECK(gpu.held == false);
}

TEST_CASE("fleet: dcgm-exporter 4.9 by its new names and units", "[fleet]") {
  const Labels labels{{"instance", "10.0.0.7:9400"}, {"hostname", "n7"}, {"UUID", "GPU-a"}, {"gpu", "3"}, {"hpc_job", "4711"}};
  const auto gpu = only_gpu({sample("DCGM_FI_DEV_GPU_UTIL_RATIO", labels, 0.83),
                             sample("DCGM_FI_DEV_FB_USED_BYTES", labels, 2147483648.0),
                             sample("DCGM_FI_DEV_FB_CAPACITY_BYTES", labels, 85899345920.0),
                             sample("DCGM_FI_DEV_GPU_TEMP_CELSIUS", labels, 55), sample("DCGM_FI_DEV_BOARD_POWER_WATTS", labels, 301.5)});
  CHECK(gpu.node == "n7");
  CHECK(gpu.utilization->value() == Approx(83));
  CHECK(gpu.memory_used == Bytes{std::uint64_t{2} << 30U});
  CHECK(gpu.memory_total == Bytes{std::uint64_t{80} << 30U});
  CHECK(gpu.power->value() == Approx(301.5));
  CHECK(gpu.jobs == std::vector<std::string>{"4711"});
  CHECK(gpu.held == true);
  // The name came before the unit changed: more than 1 is a percentage.
  CHECK(only_gpu({sample("DCGM_FI_DEV_GPU_UTIL_RATIO", labels, 83)}).utilization->value() == Approx(83));
}

TEST_CASE("fleet: nvidia_gpu_exporter, whose UUIDs have no prefix", "[fleet]") {
  const Labels labels{{"instance", "n3:9835"}, {"uuid", "df6e7a7c"}};
  auto info = labels;
  info.emplace_back("name", "NVIDIA GeForce RTX 4090");
  const auto gpu = only_gpu({sample("nvidia_smi_utilization_gpu_ratio", labels, 0.5), sample("nvidia_smi_memory_used_bytes", labels, 1048576),
                             sample("nvidia_smi_temperature_gpu", labels, 44), sample("nvidia_smi_power_draw_watts", labels, 120),
                             sample("nvidia_smi_gpu_info", info, 1)});
  CHECK(gpu.uuid == "GPU-df6e7a7c");
  CHECK(gpu.node == "n3");
  CHECK(gpu.name == "NVIDIA GeForce RTX 4090");
  CHECK(gpu.utilization->value() == Approx(50));
  CHECK(gpu.temperature->value() == Approx(44));
}

TEST_CASE("fleet: one GPU by two exporters is one GPU, and ours is believed", "[fleet]") {
  Answers answers;
  add_gpu(answers, "n1", 0, 0.5, "ada");
  const Labels labels{{"instance", "n1:9400"}, {"UUID", "GPU-n1-0"}, {"gpu", "0"}};
  answers.now.insert(answers.now.begin(), sample("DCGM_FI_DEV_GPU_UTIL", labels, 70));
  answers.now.push_back(sample("DCGM_FI_DEV_GPU_UTIL", labels, 70));
  answers.now.push_back(sample("DCGM_FI_DEV_POWER_USAGE", labels, 300));
  const auto fleet = build(answers);
  REQUIRE(fleet.gpus.size() == 1);
  CHECK(fleet.gpus[0].utilization->value() == Approx(50));
  CHECK(fleet.gpus[0].power->value() == Approx(300));
  CHECK(fleet.exporters.size() == 2);
}

TEST_CASE("fleet: slices of a GPU are not GPUs", "[fleet]") {
  Answers answers;
  answers.now = {sample("DCGM_FI_DEV_FB_USED", {{"instance", "n1:9400"}, {"UUID", "GPU-a"}, {"GPU_I_ID", "1"}}, 10)};
  CHECK(build(answers).gpus.empty());
}

TEST_CASE("fleet: node_exporter has the node's name, CPU and memory", "[fleet]") {
  Answers answers;
  add_gpu(answers, "10.0.0.7", 0, 0.5, "ada");
  const Labels labels{{"instance", "10.0.0.7:9100"}};
  answers.now.push_back(sample("node_uname_info", {{"instance", "10.0.0.7:9100"}, {"nodename", "gpu7"}}, 1));
  answers.now.push_back(sample("node_memory_MemTotal_bytes", labels, 100));
  answers.now.push_back(sample("node_memory_MemAvailable_bytes", labels, 25));
  answers.cpu.push_back({labels, 0.4});
  answers.now.push_back(sample("node_memory_MemTotal_bytes", {{"instance", "login:9100"}}, 100));  // no GPU: no part of it
  const auto fleet = build(answers);
  REQUIRE(fleet.nodes.size() == 1);
  CHECK(fleet.nodes[0].name == "gpu7");
  CHECK(*fleet.nodes[0].cpu == Approx(0.4));
  CHECK(*fleet.nodes[0].memory == Approx(0.75));
}

namespace {

void add_run(Answers& answers, const std::string& node, const std::string& rank, double wait, double still) {
  const Labels labels{{"instance", node + ":9100"}, {"job_id", "4711"}, {"rank", rank}, {"run", "r" + rank}};
  const auto put = [&](const std::string& name, double value, const Labels& more = {}) {
    auto all = labels;
    all.insert(all.end(), more.begin(), more.end());
    answers.now.push_back(sample(name, all, value));
  };
  put("gputop_run_info", 1, {{"name", "train"}, {"launcher", "slurm"}, {"node", node}});
  put("gputop_run_alive", 1);
  put("gputop_run_step", 100 + std::stod(rank));
  put("gputop_run_samples_per_second", 50);
  put("gputop_run_input_wait_ratio", wait);
  put("gputop_rank_input_wait_ratio", wait);
  put("gputop_run_still_seconds", still);
  put("gputop_run_gpu_info", 1, {{"uuid", "GPU-" + node + "-0"}});
}

}  // namespace

TEST_CASE("fleet: runs of one job are one job, and its straggler is named", "[fleet]") {
  Answers answers;
  for (const auto* rank : {"0", "1", "2", "3"}) {
    const auto node = "n" + std::string{rank};
    add_gpu(answers, node, 0, 0.8, "ada");
    add_run(answers, node, rank, rank == std::string{"2"} ? 0.6 : 0.05, 1);
  }
  const auto fleet = build(answers);
  REQUIRE(fleet.jobs.size() == 1);
  const auto& job = fleet.jobs[0];
  CHECK(job.id == "4711");
  CHECK(job.ranks == 4);
  CHECK(job.gpus == 4);
  CHECK(job.nodes.size() == 4);
  CHECK(job.users == std::vector<std::string>{"ada"});
  CHECK(*job.rate == Approx(200));
  CHECK(job.rate_unit == "samples/s");
  CHECK(*job.step == Approx(100));
  CHECK(job.worst_rank == "2");
  REQUIRE(trouble(fleet, "straggler") != nullptr);
  CHECK(trouble(fleet, "straggler")->text.find("rank 2") == 0);
  CHECK(trouble(fleet, "stalled") == nullptr);
}

TEST_CASE("fleet: a run that stands still, a lost GPU, heat and Xids come first", "[fleet]") {
  Answers answers;
  add_gpu(answers, "n0", 0, 0.8, "ada");
  add_gpu(answers, "n0", 1, 0.8, "ada");
  add_run(answers, "n0", "0", 0.0, 1000);
  const Labels second{{"instance", "n0:9100"}, {"uuid", "GPU-n0-1"}};
  answers.now.push_back(sample("gputop_gpu_temperature_celsius", second, 91));
  answers.now.push_back(sample("gputop_gpu_slowdown_temperature_celsius", second, 93));
  answers.xids.push_back({second, 1});
  answers.now.push_back(sample("up", {{"instance", "n9:9100"}, {"job", "node"}}, 0));
  const auto fleet = build(answers);
  CHECK(trouble(fleet, "stalled") != nullptr);
  CHECK(trouble(fleet, "Xid") != nullptr);
  CHECK(trouble(fleet, "heat") != nullptr);
  CHECK(trouble(fleet, "not scraped") != nullptr);
  CHECK(trouble(fleet, "idle but held") == nullptr);
  CHECK(fleet.troubles.front().level == Level::kBad);
  CHECK(fleet.troubles.back().level == Level::kWarning);
}

TEST_CASE("fleet: queries name what is there, and no more", "[fleet]") {
  CHECK(now_query().find("DCGM_FI_DEV_GPU_UTIL|") != std::string::npos);
  CHECK(recent_queries({}).empty());
  CHECK(xid_queries({}).empty());
  const std::vector<Sample> now{sample("DCGM_FI_DEV_GPU_UTIL", {}, 1), sample("DCGM_FI_DEV_XID_ERRORS", {}, 0)};
  REQUIRE(recent_queries(now).size() == 1);
  CHECK(recent_queries(now)[0].find("avg_over_time(DCGM_FI_DEV_GPU_UTIL[30m])") != std::string::npos);
  CHECK(xid_queries(now).size() == 1);
}

TEST_CASE("fleet: nothing at all is an empty fleet", "[fleet]") {
  const auto fleet = build({});
  CHECK(fleet.gpus.empty());
  CHECK(fleet.troubles.empty());
  CHECK_FALSE(fleet.utilization());
}
