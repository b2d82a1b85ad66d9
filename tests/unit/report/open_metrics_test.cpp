#include "gputop/report/open_metrics.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/models.hpp"

using namespace gputop;
using namespace gputop::test;

namespace {

bool has(const std::string& text, std::string_view line) {
  return ("\n" + text).find("\n" + std::string{line} + "\n") != std::string::npos;
}

bool names(const std::string& text, std::string_view family) {
  return text.find("\n" + std::string{family}) != std::string::npos || text.starts_with(family);
}

Model with_gpu(const GpuReading& gpu) {
  Stream stream;
  stream.feed(1, GpusSampled{{gpu}});
  return stream.model;
}

// A run that printed this much, one line a second.
Model with_run(int lines, double loss = 0.5) {
  Stream stream;
  stream.run(2, 0, 2);
  stream.feed(2, RunStarted{"abc234", "train", {"python", "train.py"}, "/home/ada", 1000, true});
  std::uint64_t offset = 0;
  for (int i = 1; i <= lines; ++i) {
    const auto text = "Epoch 1: step " + std::to_string(10 * i) + "/1000 loss: " + std::to_string(loss) + "\n";
    stream.feed(2 + i, OutputWritten{0, offset, text});
    offset += text.size();
    stream.feed(2 + i, HostSampled{host_reading()});
    stream.feed(2 + i, GpusSampled{healthy_gpus(2)});
    stream.feed(2 + i, ProcessesSampled{training_processes(2)});
  }
  return stream.model;
}

}  // namespace

TEST_CASE("metrics: a GPU by its UUID, in base units", "[report]") {
  auto gpu = healthy_gpu(3);
  gpu.utilization = 93_percent;
  gpu.power = 212.5_W;
  gpu.memory_used = 7_GiB;
  gpu.sm_clock = 1695_MHz;
  const auto text = machine_metrics(with_gpu(gpu));
  CHECK(has(text, "gputop_gpu_utilization_ratio{uuid=\"GPU-3\"} 0.93"));
  CHECK(has(text, "gputop_gpu_power_watts{uuid=\"GPU-3\"} 212.5"));
  CHECK(has(text, "gputop_gpu_memory_used_bytes{uuid=\"GPU-3\"} 7516192768"));
  CHECK(has(text, "gputop_gpu_sm_clock_hertz{uuid=\"GPU-3\"} 1.695e+09"));
  CHECK(has(text, "gputop_gpu_throttled{uuid=\"GPU-3\",reason=\"power\"} 1"));
  CHECK(has(text, "gputop_gpu_throttled{uuid=\"GPU-3\",reason=\"thermal\"} 0"));
  CHECK(has(text, "gputop_gpu_source_up 1"));
}

TEST_CASE("metrics: what is unknown has no line", "[report]") {
  GpuReading gpu;
  gpu.uuid = "GPU-9";
  const auto text = machine_metrics(with_gpu(gpu));
  CHECK(has(text, "gputop_gpu_up{uuid=\"GPU-9\"} 1"));
  for (const auto* family : {"gputop_gpu_utilization", "gputop_gpu_memory", "gputop_gpu_power", "gputop_gpu_temperature",
                             "gputop_gpu_processes", "gputop_gpu_throttled", "gputop_gpu_ecc", "gputop_host"})
    CHECK_FALSE(names(text, family));
  CHECK(run_metrics(with_gpu(gpu)).empty());
  const Model before;  // anybody has answered
  CHECK_FALSE(names(machine_metrics(before), "gputop_gpu_source_up"));
}

TEST_CASE("metrics: a lost GPU is down, and a GPU nobody holds has no holder", "[report]") {
  auto gpu = healthy_gpu(0);
  gpu.state = GpuState::kLost;
  gpu.processes = std::vector<GpuProcess>{};
  const auto text = machine_metrics(with_gpu(gpu));
  CHECK(has(text, "gputop_gpu_up{uuid=\"GPU-0\"} 0"));
  CHECK(has(text, "gputop_gpu_processes{uuid=\"GPU-0\"} 0"));
}

TEST_CASE("metrics: who holds a GPU is counted by user, display servers are not", "[report]") {
  Stream stream;
  auto gpu = healthy_gpu(0);
  gpu.processes = std::vector<GpuProcess>{{.pid = 1000, .memory_used = 2_GiB},
                                          {.pid = 1001, .memory_used = 1_GiB},
                                          {.pid = 1003, .memory_used = std::nullopt},
                                          {.pid = 9, .type = GpuProcessType::kGraphics, .memory_used = 1_GiB}};
  stream.feed(1, GpusSampled{{gpu}});
  stream.feed(1, ProcessesSampled{training_processes(4)});
  const auto text = machine_metrics(stream.model);
  CHECK(has(text, "gputop_gpu_processes{uuid=\"GPU-0\",user=\"ada\"} 2"));
  CHECK(has(text, "gputop_gpu_user_memory_bytes{uuid=\"GPU-0\",user=\"ada\"} 3221225472"));
  CHECK(has(text, "gputop_gpu_processes{uuid=\"GPU-0\",user=\"bob\"} 1"));
  CHECK_FALSE(names(text, "gputop_gpu_user_memory_bytes{uuid=\"GPU-0\",user=\"bob\"}"));
}

TEST_CASE("metrics: simulated GPUs say so", "[report]") {
  CHECK(machine_metrics(working_model(1, 2, true)).find("simulated=\"true\"") != std::string::npos);
  CHECK(machine_metrics(working_model(1, 2, false)).find("simulated") == std::string::npos);
}

TEST_CASE("metrics: labels cannot break out of their quotes", "[report]") {
  CHECK(label_value("a\"b\\c") == "a\\\"b\\\\c");
  CHECK(label_value("two\nlines").find('\n') == std::string::npos);
  CHECK(label_value("\xff\xfe").find('\xff') == std::string::npos);
  CHECK(label_value("学習 🚀") == "学習 🚀");
  auto gpu = healthy_gpu(0);
  gpu.name = "evil\"} 1\ngputop_gpu_up 0";
  MetricPage page;
  page.add(machine_metrics(with_gpu(gpu)));
  CHECK_FALSE(has(page.text(MetricFormat::kText), "gputop_gpu_up 0"));
}

TEST_CASE("metrics: a run without a launcher is its own job", "[report]") {
  const auto text = run_metrics(with_run(3));
  CHECK(has(text, "gputop_run_alive{job_id=\"abc234\",run=\"abc234\"} 1"));
  CHECK(has(text, "gputop_run_step{job_id=\"abc234\",run=\"abc234\"} 30"));
  CHECK(has(text, "gputop_run_planned_steps{job_id=\"abc234\",run=\"abc234\"} 1000"));
  CHECK(has(text, "gputop_run_loss{job_id=\"abc234\",run=\"abc234\"} 0.5"));
  CHECK(has(text, "gputop_run_start_time_seconds{job_id=\"abc234\",run=\"abc234\"} 1800000002"));
  CHECK_FALSE(names(text, "gputop_rank"));
  CHECK_FALSE(names(text, "gputop_run_mfu"));
  CHECK_FALSE(names(text, "gputop_run_cost"));
}

TEST_CASE("metrics: a run's energy and cost, where the power of its GPUs is known", "[report]") {
  auto model = with_run(30);
  update(model, Event{model.now, CardsKnown{.price_per_kwh = 0.3}});
  const auto text = run_metrics(model);
  CHECK(names(text, "gputop_run_energy_joules{job_id=\"abc234\",run=\"abc234\"} "));
  CHECK(names(text, "gputop_run_cost{job_id=\"abc234\",run=\"abc234\"} "));
}

TEST_CASE("metrics: a rank of a job carries the launcher's id", "[report]") {
  auto model = with_run(30);
  update(model, Event{model.now, JobJoined{.id = "4711", .launcher = "slurm", .node = "n2", .rank = 5}});
  const auto text = run_metrics(model);
  CHECK(has(text, "gputop_run_info{job_id=\"4711\",rank=\"5\",run=\"abc234\",name=\"train\",launcher=\"slurm\",node=\"n2\"} 1"));
  CHECK(has(text, "gputop_run_still_seconds{job_id=\"4711\",rank=\"5\",run=\"abc234\"} 0"));
  CHECK(names(text, "gputop_rank_steps_per_second{job_id=\"4711\",rank=\"5\",run=\"abc234\"} "));
  CHECK(has(text, "gputop_run_gpu_info{job_id=\"4711\",rank=\"5\",run=\"abc234\",uuid=\"GPU-0\"} 1"));
}

TEST_CASE("metrics: a loss that is no number is told, for that is news", "[report]") {
  auto model = with_run(2);
  const std::string line = "Epoch 1: step 30/1000 loss: nan\n";
  update(model, Event{model.now, OutputWritten{0, model.run->output_bytes, line}});
  CHECK(has(run_metrics(model), "gputop_run_loss{job_id=\"abc234\",run=\"abc234\"} NaN"));
}

TEST_CASE("metrics: a speed of minutes ago is none, and the run says how long it is still", "[report]") {
  auto model = with_run(60);
  REQUIRE(names(run_metrics(model), "gputop_run_steps_per_second"));
  for (int t = 63; t < 700; ++t) update(model, Event{at_seconds(t), HostSampled{host_reading()}});
  const auto text = run_metrics(model);
  CHECK_FALSE(names(text, "gputop_run_steps_per_second"));
  CHECK(has(text, "gputop_run_still_seconds{job_id=\"abc234\",run=\"abc234\"} 637"));
}

TEST_CASE("metrics: an ended run holds nothing", "[report]") {
  auto model = with_run(10);
  update(model, Event{model.now, RunEnded{}});
  const auto text = run_metrics(model);
  CHECK(has(text, "gputop_run_alive{job_id=\"abc234\",run=\"abc234\"} 0"));
  CHECK_FALSE(names(text, "gputop_run_gpu_info"));
  CHECK_FALSE(names(text, "gputop_run_still_seconds"));
}

TEST_CASE("metrics: a page has each family once, and each series once", "[report]") {
  MetricPage page;
  page.add("gputop_gpu_up{uuid=\"a\"} 1\ngputop_host_cpus 2\n");
  page.add("gputop_gpu_up{uuid=\"b\"} 1\ngputop_host_cpus 9\nnot_ours 3\nrubbish\n\ngputop_gpu_up{uuid=\"c\"} \n");
  CHECK(page.text(MetricFormat::kText) ==
        "# HELP gputop_gpu_up 1: the GPU answers; 0: it is lost, failed or does not answer.\n"
        "# TYPE gputop_gpu_up gauge\n"
        "gputop_gpu_up{uuid=\"a\"} 1\n"
        "gputop_gpu_up{uuid=\"b\"} 1\n"
        "# HELP gputop_host_cpus Logical CPUs of the machine.\n"
        "# TYPE gputop_host_cpus gauge\n"
        "gputop_host_cpus 2\n");
}

TEST_CASE("metrics: OpenMetrics names families without the suffix, and ends", "[report]") {
  MetricPage page;
  page.add("gputop_build_info{version=\"1\"} 1\ngputop_gpu_xid_errors_total{uuid=\"a\"} 0\n");
  CHECK(page.text(MetricFormat::kOpenMetrics) ==
        "# HELP gputop_build The gputop that answers.\n"
        "# TYPE gputop_build info\n"
        "gputop_build_info{version=\"1\"} 1\n"
        "# HELP gputop_gpu_xid_errors Xid errors since this gputop began to watch.\n"
        "# TYPE gputop_gpu_xid_errors counter\n"
        "gputop_gpu_xid_errors_total{uuid=\"a\"} 0\n"
        "# EOF\n");
  CHECK(page.text(MetricFormat::kText).find("# TYPE gputop_build_info gauge") != std::string::npos);
}
