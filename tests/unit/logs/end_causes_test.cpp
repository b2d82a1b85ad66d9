// How runs end, by the forms of FACTS: each named, each with its numbers.
#include "gputop/logs/end_causes.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

#include "gputop/logs/run_log.hpp"

using namespace gputop;
using namespace gputop::literals;
using Catch::Approx;
using Kind = GpuOom::Kind;

namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;

struct Job {
  RunLog log;
  double now = 0;
  std::uint64_t offset = 0;
  std::string news;

  explicit Job(std::string_view text = {}) { say(text); }
  void say(std::string_view text) {
    if (auto said = log.output(at_seconds(now), OutputWritten{0, offset, std::string{text}}); !said.empty())
      news = said;
    offset += text.size();
    now += 1;
  }
  void kernel_kills(std::uint64_t cgroup, std::uint64_t machine) {
    HostReading host;
    host.cgroup.oom_kills = cgroup;
    host.oom_kills = machine;
    log.host(at_seconds(now), host);
    now += 1;
  }
  const EndFacts& exits(int code) {
    log.ended(at_seconds(now), RunEnded{code, std::nullopt, "exited with code " + std::to_string(code)});
    return log.end();
  }
  const EndFacts& dies(int signal) {
    log.ended(at_seconds(now), RunEnded{128 + signal, signal, "was killed by a signal"});
    return log.end();
  }
};

std::string traceback(const std::string& last) {
  return "Traceback (most recent call last):\n  File \"/home/ada/train.py\", line 118, in <module>\n    main()\n"
         "  File \"/home/ada/train.py\", line 76, in train_one_epoch\n    loss = step(batch) / 4\n           "
         "^^^^^^^^^^^\n" +
         last + "\n";
}

EndFacts after(const std::string& line, int code = 1) {
  Job job{traceback(line)};
  return job.exits(code);
}

double gib(const Reading<Bytes>& bytes) {
  return bytes ? static_cast<double>(bytes->value()) / kGiB : -1;
}

}  // namespace

TEST_CASE("end: CUDA out of memory up to torch 1.3", "[logs]") {
  const auto end = after(
      "RuntimeError: CUDA out of memory. Tried to allocate 50.00 MiB (GPU 0; 6.00 GiB total capacity; 4.90 GiB already "
      "allocated; "
      "12.00 MiB free; 18.22 MiB cached)");
  CHECK(end.kind == EndKind::kGpuOom);
  REQUIRE(end.oom);
  CHECK(end.oom->kind == Kind::kTooBig);
  CHECK(end.oom->gpu == 0);
  CHECK(end.oom->requested == 50_MiB);
  CHECK(gib(end.oom->total) == Approx(6));
  CHECK(gib(end.oom->allocated) == Approx(4.9));
  CHECK(gib(end.oom->free) == Approx(12.0 / 1024));
  CHECK(gib(end.oom->reserved_unallocated) == Approx(18.22 / 1024));
}

TEST_CASE("end: CUDA out of memory of torch 1.4 to 2.0, fragmented", "[logs]") {
  const auto end = after(
      "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 1; 7.79 GiB total capacity; "
      "5.20 GiB already allocated; "
      "10.00 MiB free; 6.44 GiB reserved in total by PyTorch) If reserved memory is >> allocated memory try setting "
      "max_split_size_mb to avoid "
      "fragmentation.  See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF");
  REQUIRE(end.oom);
  CHECK(end.oom->kind == Kind::kFragmentation);
  CHECK(end.oom->gpu == 1);
  CHECK(gib(end.oom->reserved_unallocated) == Approx(1.24));
}

TEST_CASE("end: CUDA out of memory as torch 2.1 spells it", "[logs]") {
  const auto end = after(
      "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 32.00 MiB. GPU 0 has a total capacty of 4.00 "
      "GiB of which 41.56 MiB is free. "
      "Including non-PyTorch memory, this process has 3.90 GiB memory in use. Of the allocated memory 3.20 GiB is "
      "allocated by PyTorch, and "
      "12.00 MiB is reserved by PyTorch but unallocated.");
  REQUIRE(end.oom);
  CHECK(end.oom->kind == Kind::kTooBig);
  CHECK(gib(end.oom->total) == Approx(4));
  CHECK(gib(end.oom->in_use) == Approx(3.9));
}

TEST_CASE("end: CUDA out of memory: the four kinds of today's message", "[logs]") {
  const auto message = [](const std::string& asked, const std::string& free, const std::string& between,
                          const std::string& ours, const std::string& reserved) {
    return "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate " + asked +
           ". GPU 0 has a total capacity of 31.47 GiB of which " + free + " is free. " + between +
           "Including non-PyTorch memory, this process has " + ours +
           " memory in use. Of the allocated memory 9.08 GiB is allocated by PyTorch, with 1.10 GiB allocated in "
           "private pools (e.g., CUDA Graphs), and " +
           reserved +
           " is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting "
           "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.";
  };
  const auto fragmented = after(message("8.00 GiB", "12.73 MiB", "", "18.73 GiB", "9.35 GiB"));
  CHECK(fragmented.oom->kind == Kind::kFragmentation);
  CHECK(gib(fragmented.oom->reserved_unallocated) == Approx(9.35));
  CHECK(gib(fragmented.oom->allocated) == Approx(9.08));
  const auto neighbour =
      after(message("2.00 GiB", "1.00 GiB", "Process 20398 has 14.52 GiB memory in use. ", "15.90 GiB", "0.20 GiB"));
  CHECK(neighbour.oom->kind == Kind::kNeighbour);
  CHECK(gib(neighbour.oom->neighbours) == Approx(14.52));
  const auto cap = after(message("2.00 GiB", "20.00 GiB", "10.00 GiB allowed; ", "9.90 GiB", "0.20 GiB"));
  CHECK(cap.oom->kind == Kind::kCap);
  CHECK(gib(cap.oom->allowed) == Approx(10));
  const auto big = after(message("12.86 GiB", "0.50 GiB", "", "30.73 GiB", "0.35 GiB"));
  CHECK(big.oom->kind == Kind::kTooBig);
  CHECK(gib(big.oom->requested) == Approx(12.86));
  CHECK(big.detail.find("12.9 GiB asked for") != std::string::npos);
}

TEST_CASE("end: HIP, cuBLAS, cuDNN, TensorFlow and JAX run out of memory, too", "[logs]") {
  const auto hip = after(
      "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 15.98 GiB "
      "of which 100.00 MiB is free.");
  CHECK(hip.kind == EndKind::kGpuOom);
  CHECK(hip.oom->gpu == 3);
  CHECK(hip.oom->kind == Kind::kTooBig);
  for (const auto* line :
       {"RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
        "RuntimeError: cuDNN error: CUDNN_STATUS_ALLOC_FAILED", "RuntimeError: CUDA error: out of memory"}) {
    const auto quiet = after(line);
    CHECK(quiet.kind == EndKind::kGpuOom);
    CHECK(quiet.oom->kind == Kind::kUnclear);
    CHECK_FALSE(quiet.oom->requested);
  }
  const auto tensorflow = after(
      "tensorflow.python.framework.errors_impl.ResourceExhaustedError: OOM when allocating tensor with "
      "shape[25088,4096] and type float on "
      "/job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc [Op:Add]");
  CHECK(tensorflow.kind == EndKind::kGpuOom);
  CHECK(tensorflow.oom->requested == Bytes{25088ULL * 4096 * 4});
  CHECK(tensorflow.oom->gpu == 0);
  const auto jax = after(
      "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 7406166528 "
      "bytes.");
  CHECK(jax.kind == EndKind::kGpuOom);
  CHECK(jax.oom->requested == Bytes{7406166528});
}

TEST_CASE("end: an out-of-memory that the run survived is an event, not the end", "[logs]") {
  Job job;
  job.say("step 10/100 loss: 0.4\nstep 20/100 loss: 0.4\n");
  job.say(
      "caught: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 24.00 GiB of which 1.00 "
      "GiB is free.\n");
  CHECK(job.news.empty());
  job.say("step 30/100 loss: 0.4\nstep 40/100 loss: 0.4\n");
  CHECK(job.news.find("survived an out-of-memory") != std::string::npos);
  CHECK(job.log.end().kind == EndKind::kRunning);
  CHECK(job.log.end().survived_ooms == 1);
  job.say(traceback("ValueError: no data"));
  const auto end = job.exits(1);
  CHECK(end.kind == EndKind::kException);
  CHECK(end.detail == "ValueError: no data (train.py:76 in train_one_epoch)");
  REQUIRE(end.oom);
  CHECK(end.oom->requested == 2_GiB);
}

TEST_CASE("end: a run that exits well has survived all it said", "[logs]") {
  Job job{
      "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 24.00 GiB of which 1.00 GiB is "
      "free.\n"};
  const auto end = job.exits(0);
  CHECK(end.kind == EndKind::kFinished);
  CHECK(end.survived_ooms == 1);
}

TEST_CASE("end: the loader's workers: shared memory, a kill, a crash", "[logs]") {
  CHECK(after("RuntimeError: DataLoader worker (pid 4711) is killed by signal: Bus error. It is possible that "
              "dataloader's workers are out of shared memory. "
              "Please try to raise your shared memory limit.")
            .kind == EndKind::kShmExhausted);
  CHECK(after("OSError: [Errno 28] No space left on device: '/dev/shm/torch_1_2'").kind == EndKind::kShmExhausted);
  CHECK(after("RuntimeError: DataLoader worker (pid 4711) is killed by signal: Killed. ").kind == EndKind::kHostOom);
  CHECK(after("RuntimeError: DataLoader worker (pid 4711) is killed by signal: Segmentation fault. ").kind ==
        EndKind::kSegfault);
  CHECK(after("RuntimeError: DataLoader worker (pid(s) 4711) exited unexpectedly").kind == EndKind::kException);
  Job job{};
  job.kernel_kills(3, 3);
  job.say(traceback("RuntimeError: DataLoader worker (pid(s) 4711) exited unexpectedly"));
  job.kernel_kills(4, 4);
  CHECK(job.exits(1).kind == EndKind::kHostOom);
}

TEST_CASE("end: SIGKILL alone proves nothing; the kernel's counters do", "[logs]") {
  Job unknown;
  CHECK(unknown.dies(9).kind == EndKind::kKilled);
  CHECK(unknown.log.end().detail.find("not known") != std::string::npos);
  Job somebody;
  somebody.kernel_kills(0, 7);
  somebody.kernel_kills(0, 7);
  CHECK(somebody.dies(9).kind == EndKind::kKilled);
  CHECK(somebody.log.end().detail.find("no out-of-memory kill was counted") != std::string::npos);
  Job kernel;
  kernel.kernel_kills(0, 7);
  kernel.kernel_kills(1, 8);
  CHECK(kernel.dies(9).kind == EndKind::kHostOom);
  Job late;
  late.kernel_kills(0, 7);
  CHECK(late.exits(137).kind == EndKind::kKilled);
  late.kernel_kills(1, 8);  // counted a moment later
  CHECK(late.log.end().kind == EndKind::kHostOom);
  Job long_ago;
  long_ago.kernel_kills(0, 7);
  long_ago.kernel_kills(0, 8);
  long_ago.now += 3600;
  CHECK(long_ago.dies(9).kind == EndKind::kKilled);
}

TEST_CASE("end: host memory in the run's own words", "[logs]") {
  CHECK(after("MemoryError").kind == EndKind::kHostOom);
  CHECK(after("numpy.core._exceptions._ArrayMemoryError: Unable to allocate 7.45 GiB for an array with shape "
              "(1000000000,) and data type float64")
            .kind == EndKind::kHostOom);
  CHECK(after("RuntimeError: [enforce fail at alloc_cpu.cpp:75] err == 0. DefaultCPUAllocator: can't allocate memory: "
              "you tried to allocate 8000000000 bytes.")
            .kind == EndKind::kHostOom);
}

TEST_CASE("end: an exception, with its last line and its place", "[logs]") {
  const auto plain = after("KeyError: 'labels'");
  CHECK(plain.kind == EndKind::kException);
  CHECK(plain.detail == "KeyError: 'labels' (train.py:76 in train_one_epoch)");
  Job chained{traceback("KeyError: 'labels'") +
              "\nDuring handling of the above exception, another exception occurred:\n\n" +
              traceback("RuntimeError: bad batch")};
  CHECK(chained.exits(1).detail.starts_with("RuntimeError: bad batch"));
}

TEST_CASE("end: of many ranks the first cause wins over what follows from it", "[logs]") {
  std::string text;
  for (const auto* line :
       {"Traceback (most recent call last):", "  File \"/home/ada/train.py\", line 80, in step", "    loss.backward()",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 1 has a total capacity of 24.00 "
        "GiB of which 1.00 GiB is free."}) {
    text += "[rank1]: " + std::string{line} + "\n";
  }
  text +=
      "[rank0]:[E ProcessGroupNCCL.cpp:563] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=12, "
      "OpType=ALLREDUCE, NumelIn=1, NumelOut=1, "
      "Timeout(ms)=600000) ran for 600123 milliseconds before timing out.\n";
  text += traceback("torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ");
  Job job{text};
  const auto end = job.exits(1);
  CHECK(end.kind == EndKind::kGpuOom);
  CHECK(end.oom->gpu == 1);
  CHECK(end.detail.starts_with("rank 1: "));
}

TEST_CASE("end: NCCL's watchdog, alone", "[logs]") {
  Job job{
      "[rank0]:[E ProcessGroupNCCL.cpp:563] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=12, "
      "OpType=ALLREDUCE, NumelIn=1, NumelOut=1, "
      "Timeout(ms)=600000) ran for 600123 milliseconds before timing out.\n"};
  const auto end = job.dies(6);
  CHECK(end.kind == EndKind::kNcclTimeout);
  CHECK(end.detail.find("ALLREDUCE timed out after 600 s") != std::string::npos);
}

TEST_CASE("end: a GPU that failed, and one that the program abused", "[logs]") {
  Job board{traceback("RuntimeError: CUDA error: unspecified launch failure")};
  board.log.gpu(at_seconds(board.now), {0, GpuHappened::Kind::kXid, 79, "Xid 79: fallen off the bus"});
  CHECK(board.exits(1).kind == EndKind::kXid);
  CHECK(board.log.end().detail.find("Xid 79") != std::string::npos);
  Job program{traceback("RuntimeError: CUDA error: an illegal memory access was encountered")};
  program.log.gpu(at_seconds(program.now), {0, GpuHappened::Kind::kXid, 31, "Xid 31: MMU fault"});
  CHECK(program.exits(1).kind == EndKind::kException);
  CHECK(program.log.end().detail.find("Xid 31") != std::string::npos);
}

TEST_CASE("end: killed, and by whom", "[logs]") {
  CHECK(after("KeyboardInterrupt", 130).kind == EndKind::kKilled);
  CHECK(after("KeyboardInterrupt", 130).detail == "interrupted from the keyboard");
  CHECK(Job{}.dies(15).kind == EndKind::kKilled);
  Job stopped;
  stopped.log.ended(at_seconds(1), RunEnded{143, 15, "was killed by SIGTERM from the screen", "the screen"});
  CHECK(stopped.log.end().detail == "was killed by SIGTERM from the screen");
  Job by_shell;  // which makes an exit code of a signal
  by_shell.log.ended(at_seconds(1), RunEnded{143, std::nullopt, "exited with code 143", ""});
  CHECK(by_shell.log.end().detail == "killed by SIGTERM");
  Job slurm{"slurmstepd: error: *** JOB 4711 ON node7 CANCELLED AT 2024-05-01T10:11:12 DUE TO TIME LIMIT ***\n"};
  CHECK(slurm.dies(15).detail.find("time limit") != std::string::npos);
  CHECK(Job{}.dies(11).kind == EndKind::kSegfault);
  CHECK(Job{"Fatal Python error: Segmentation fault\n"}.exits(139).kind == EndKind::kSegfault);
}

TEST_CASE("end: a failure that explains itself in its last line, and one that nobody saw", "[logs]") {
  Job job{"train.py: error: the following arguments are required: --data\n"};
  const auto end = job.exits(2);
  CHECK(end.kind == EndKind::kFailed);
  CHECK(end.detail.find("arguments are required: --data") != std::string::npos);
  Job unseen;
  unseen.log.ended(at_seconds(1),
                   RunEnded{std::nullopt, std::nullopt, "ended (exit status unknown: its keeper was killed)"});
  CHECK(unseen.log.end().kind == EndKind::kUnknown);
}

TEST_CASE("end: a traceback between bars and cut anywhere is read all the same", "[logs]") {
  const auto text = traceback("ValueError: no data");
  for (std::size_t piece = 1; piece < 40; piece += 7) {
    Job job;
    for (std::size_t at = 0; at < text.size(); at += piece) job.say(text.substr(at, piece));
    CHECK(job.exits(1).detail == "ValueError: no data (train.py:76 in train_one_epoch)");
  }
}

TEST_CASE("end: Apple's, Intel's and XLA's devices say how much was asked for, too", "[logs]") {
  const auto apple = after(
      "RuntimeError: MPS backend out of memory (MPS allocated: 9.57 GiB, other allocations: 17.35 GiB, max allowed: "
      "27.20 "
      "GiB). Tried to allocate 292.50 MiB on private pool.");
  REQUIRE(apple.oom);
  CHECK(apple.oom->kind == Kind::kCap);
  CHECK(gib(apple.oom->allowed) == Approx(27.2));
  CHECK(gib(apple.oom->allocated) == Approx(9.57));
  const auto intel = after(
      "torch.OutOfMemoryError: XPU out of memory. Tried to allocate 8.11 GiB. GPU 0 has a total capacity of 16.54 GiB "
      "of "
      "which 16.54 GiB is free. 8.27 GiB allowed; Of the allocated memory 0 bytes is allocated by PyTorch, and 0 bytes "
      "is "
      "reserved by PyTorch but unallocated.");
  REQUIRE(intel.oom);
  CHECK(intel.oom->kind == Kind::kCap);
  const auto xla = after(
      "RuntimeError: Resource exhausted: Failed to allocate request for 32.00MiB (33554432B) on device ordinal 0");
  REQUIRE(xla.oom);
  CHECK(xla.oom->requested == 32_MiB);
}

TEST_CASE("end: what a loader's worker or a replica raised is told, not that it was told", "[logs]") {
  Job job{
      "Traceback (most recent call last):\n  File \"/home/ada/train.py\", line 30, in <module>\n    for x in loader:\n"
      "RuntimeError: Caught KeyError in DataLoader worker process 0.\n"
      "Original Traceback (most recent call last):\n  File \"/home/ada/data.py\", line 12, in __getitem__\n"
      "    return self.rows[index]\nKeyError: 7\n"};
  CHECK(job.exits(1).detail == "KeyError: 7 (data.py:12 in __getitem__)");
}

TEST_CASE("end: a C++ exception, a watchdog that hangs, a script that does not compile", "[logs]") {
  Job thrown{
      "terminate called after throwing an instance of 'c10::Error'\n  what():  CUDA error: device-side assert "
      "triggered\n"};
  CHECK(thrown.dies(6).kind == EndKind::kException);
  CHECK(thrown.log.end().detail == "CUDA error: device-side assert triggered");
  Job stuck{
      "[rank1]:[F ProcessGroupNCCL.cpp:1169] [PG 0 Rank 1] ProcessGroupNCCL's watchdog got stuck for 600 seconds "
      "without "
      "making progress in monitoring enqueued collectives.\n"};
  CHECK(stuck.dies(6).kind == EndKind::kNcclTimeout);
  CHECK(stuck.log.end().detail.find("600 s") != std::string::npos);
  Job script{"  File \"/home/ada/train.py\", line 3\n    def f(:\n          ^\nSyntaxError: invalid syntax\n"};
  CHECK(script.exits(1).kind == EndKind::kException);
  CHECK(script.log.end().detail == "SyntaxError: invalid syntax (train.py:3)");
}

TEST_CASE("end: the kernel's Xid in the output counts where the hardware is at fault", "[logs]") {
  Job board{"[  123.4] NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, GPU has fallen off the bus.\n" +
            traceback("RuntimeError: CUDA error: unspecified launch failure")};
  CHECK(board.exits(1).kind == EndKind::kXid);
  Job program{"[  123.4] NVRM: Xid (PCI:0000:3b:00): 31, pid=1234, Ch 00000008\n" +
              traceback("RuntimeError: CUDA error: an illegal memory access was encountered")};
  CHECK(program.exits(1).kind == EndKind::kException);
}
