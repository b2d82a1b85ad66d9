#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "app/gpu_processes.hpp"
#include "lens_events.hpp"

using namespace gputop;

namespace {

constexpr auto kSpawn =
    "python3 -c from multiprocessing.spawn import spawn_main; spawn_main(tracker_fd=5, pipe_handle=7) "
    "--multiprocessing-fork";
constexpr auto kForkserver = "python3 -c from multiprocessing.forkserver import main; main(4, 5, ['__main__'])";
constexpr auto kTracker = "python3 -c from multiprocessing.resource_tracker import main;main(4)";

using Roles = std::map<std::int64_t, ProcessRole>;
using enum ProcessRole;

Roles roles(std::vector<ProcessReading> processes, std::vector<std::int64_t> trainers = {}) {
  return process_roles(processes, {100, std::move(trainers)});
}

}  // namespace

TEST_CASE("process roles: forked workers have their rank's command line", "[app]") {
  CHECK(roles({in_tree(100, 1, "python train.py"), in_tree(101, 100, "python train.py"),
               in_tree(102, 100, "python train.py"), in_tree(103, 100, "git status"),
               in_tree(7, 1, "python train.py")}) ==
        Roles{{7, kHelper}, {100, kRank}, {101, kWorker}, {102, kWorker}, {103, kHelper}});
}

TEST_CASE("process roles: spawned and forkserver workers are recognised, trackers are helpers", "[app]") {
  CHECK(roles({in_tree(100, 1, "python train.py"), in_tree(101, 100, kTracker), in_tree(102, 100, kSpawn),
               in_tree(103, 100, kForkserver), in_tree(104, 103, kForkserver)}) ==
        Roles{{100, kRank}, {101, kHelper}, {102, kWorker}, {103, kHelper}, {104, kWorker}});
}

TEST_CASE("process roles: under a launcher the ranks are its children, each with its own workers", "[app]") {
  CHECK(roles({in_tree(100, 1, "python -m torch.distributed.run --nproc_per_node 2 train.py"),
               in_tree(101, 100, "python -u train.py"), in_tree(102, 100, "python -u train.py"),
               in_tree(103, 101, "python -u train.py"), in_tree(104, 102, "python -u train.py")}) ==
        Roles{{100, kHelper}, {101, kRank}, {102, kRank}, {103, kWorker}, {104, kWorker}});
}

TEST_CASE("process roles: a child that trains is a rank, whatever it looks like", "[app]") {
  CHECK(roles({in_tree(100, 1, "python train.py"), in_tree(101, 100, kSpawn), in_tree(102, 100, kSpawn),
               in_tree(103, 101, kSpawn)},
              {101, 102}) == Roles{{100, kHelper}, {101, kRank}, {102, kRank}, {103, kWorker}});
}

TEST_CASE("process roles: behind a shell, and what is no Python at all", "[app]") {
  CHECK(roles({in_tree(100, 1, "bash run.sh"), in_tree(101, 100, "python train.py"),
               in_tree(102, 101, "python train.py")}) == Roles{{100, kHelper}, {101, kRank}, {102, kWorker}});
  CHECK(roles({in_tree(100, 1, "./train --gpu 0"), in_tree(101, 100, "./train --gpu 0")}) ==
        Roles{{100, kRank}, {101, kHelper}});
  CHECK(roles({}).empty());
}

TEST_CASE("tree: figures are added up by role, and unknown ones are not zero", "[app]") {
  TreeTrack track;
  const std::vector<ProcessReading> processes = {in_tree(100, 1, "python t.py", 90),
                                                 in_tree(101, 100, "python t.py", 100, 'R'),
                                                 in_tree(102, 100, "python t.py", 0, 'D'), in_tree(103, 100, "sh", 10)};
  update(track, at_seconds(1), processes, {100, {}});
  CHECK(track.ranks == 1);
  CHECK(track.workers == 2);
  CHECK(track.worker_cpu.back().value == 0.5);
  CHECK(track.worker_disk.back().value == 0.5);
  CHECK(track.worker_idle.back().value == 0);
  CHECK(track.worker_ready.back().value == 0);
  CHECK(track.main_cpu.back().value == Catch::Approx(0.9));
  CHECK(track.helper_cpu.back().value == Catch::Approx(0.1));
  CHECK(track.read.empty());
  CHECK(track.involuntary.empty());
}

TEST_CASE("tree: what was counted of spawned ranks before they were known is not the workers'", "[app]") {
  TreeTrack track;
  const std::vector<ProcessReading> processes = {in_tree(100, 1, "python t.py", 1), in_tree(101, 100, kSpawn, 90),
                                                 in_tree(102, 100, kSpawn, 90)};
  update(track, at_seconds(1), processes, {100, {}});
  CHECK(track.last_workers == 2);
  update(track, at_seconds(2), processes, {100, {101, 102}});
  CHECK(track.ranks == 2);
  CHECK(track.last_workers == 0);
  CHECK(track.worker_cpu.empty());
  update(track, at_seconds(3), {processes[0]}, {100, {101, 102}});
  CHECK(track.ranks == 1);
  CHECK(track.most_ranks == 2);
}

namespace {

// The driver's numbers are a host's: none of them is in the run's tree.
Model in_container(double seen_at) {
  Model model;
  feed(model, 0, gpus({gpu(0, "GPU-a")}));
  feed(model, 10, run_of(100));
  feed(model, 11, ProcessesSampled{{in_tree(100, 1, "python train.py")}});
  auto busy = gpu(0, "GPU-a");
  busy.processes = {on_gpu(90001, Bytes{3000}), on_gpu(90002, Bytes{9000})};
  feed(model, seen_at, gpus({busy}));
  return model;
}

LensEnvironment on_device(std::string uuid) {
  LensEnvironment environment;
  environment.device = 0;
  environment.device_uuid = std::move(uuid);
  return environment;
}

}  // namespace

TEST_CASE("GPU processes: the run's own by number, a neighbour is not", "[app]") {
  Model model;
  feed(model, 0, run_of(100));
  feed(model, 1, ProcessesSampled{{in_tree(100, 1, "python train.py"), in_tree(101, 100, "python train.py")}});
  auto busy = gpu(0, "GPU-a");
  busy.processes = {on_gpu(101, Bytes{3000}), on_gpu(777, Bytes{9000})};
  feed(model, 2, gpus({busy}));
  const auto owners = gpu_process_owners(model);
  REQUIRE(owners.size() == 2);
  CHECK((owners[0].run && owners[0].pid == 101));
  CHECK_FALSE(owners[1].run);
}

TEST_CASE("GPU processes: in a container the lens's GPU and memory tell which is the run's", "[app]") {
  auto model = in_container(5);  // both were there before the run
  LensTick held;
  held.steps = 10;
  held.cuda = {{.device = 0, .reserved = Bytes{5000}}};
  feed(model, 20, from_lens(100, on_device("GPU-a")));
  feed(model, 20, from_lens(100, held));
  const auto owners = gpu_process_owners(model);
  REQUIRE(owners.size() == 2);
  CHECK_FALSE(owners[0].run);  // less than torch holds
  CHECK(owners[1].run);
  CHECK(owners[1].pid == 100);
  CHECK(owners[1].by == GpuProcessOwner::By::kLens);
}

TEST_CASE("GPU processes: a device is known by its UUID, a MIG instance's, or number and name", "[app]") {
  auto card = gpu(1, "GPU-a");
  card.name = "NVIDIA A100";
  card.mig = {{.uuid = "MIG-1"}};
  CHECK(is_device_of(on_device("GPU-a"), card));
  CHECK(is_device_of(on_device("MIG-1"), card));
  CHECK_FALSE(is_device_of(on_device("GPU-b"), card));
  auto nameless = on_device("");
  nameless.device = 1;
  CHECK_FALSE(is_device_of(nameless, card));
  nameless.device_name = "NVIDIA A100";
  CHECK(is_device_of(nameless, card));
  CHECK_FALSE(is_device_of(LensEnvironment{}, card));
}

TEST_CASE("GPU processes: in a container without a lens, those that came with the run are its own", "[app]") {
  CHECK_FALSE(gpu_process_owners(in_container(5)).at(0).run);
  const auto owners = gpu_process_owners(in_container(15));
  CHECK(owners.at(0).run);
  CHECK(owners.at(0).pid == 0);
  CHECK(owners.at(0).by == GpuProcessOwner::By::kStart);
}

TEST_CASE("GPU processes: those that came with the run stay its own when it has ended, those that came later do not",
          "[app]") {
  auto model = in_container(15);
  feed(model, 20, RunEnded{0, std::nullopt, "finished", ""});
  auto busy = gpu(0, "GPU-a");
  busy.processes = {on_gpu(90002, Bytes{9000}), on_gpu(90003, Bytes{500})};
  feed(model, 25, gpus({busy}));
  const auto owners = gpu_process_owners(model);
  CHECK(owners.at(0).run);
  CHECK_FALSE(owners.at(1).run);
}
