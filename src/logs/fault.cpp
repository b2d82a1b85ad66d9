#include "gputop/logs/fault.hpp"

#include <algorithm>
#include <array>

#include "gputop/core/format.hpp"
#include "gputop/core/saturate.hpp"
#include "gputop/core/scan.hpp"
#include "logs/oom_message.hpp"
#include "logs/piece_set.hpp"
#include "logs/text.hpp"

namespace gputop::logs {
namespace {

// A piece of every message that read_fault() knows, and of a traceback's begin.
constexpr PieceSet kPieces{std::array<std::string_view, 28>{
    "xitc", "trac", "rror", "f me", "oom ", "kill", "nccl", "watc", "egme", "sigs", "sigk", "reso", "keyb", "xcep",
    "bad_", "allo", "ance", "bus ", "red ", "</to", "atal", "imed", "exce", "t():", "nvrm", "file", "spac", "stop"}};

template <std::size_t N>
bool says_any(std::string_view line, const std::array<std::string_view, N>& texts) {
  return std::any_of(texts.begin(), texts.end(), [&](auto text) { return contains(line, text); });
}

Fault make(EndKind kind, std::string text) {
  Fault fault;
  fault.kind = kind;
  fault.text = std::move(text);
  return fault;
}

std::string quoted(std::string_view line) {
  constexpr std::size_t kLongestQuote = 300;
  line = trimmed(line);
  auto text = printable(slice(line, 0, kLongestQuote));
  return line.size() > kLongestQuote ? text + "…" : text;
}

std::optional<Fault> shared_memory(std::string_view line) {
  static constexpr std::array<std::string_view, 6> kTexts{"out of shared memory",
                                                          "insufficient shared memory (shm)",
                                                          "unable to allocate shared memory(shm)",
                                                          "Error while creating shared memory segment",
                                                          "unable to open shared memory object",
                                                          "unable to write to file </torch"};
  const bool full =
      contains(line, "No space left on device") && (contains(line, "/dev/shm") || contains(line, "shared memory"));
  const bool mapped = contains(line, "unable to mmap") && contains(line, "</torch");
  const bool worker = contains(line, "DataLoader worker") && contains(line, "Bus error");
  if (!says_any(line, kTexts) && !full && !mapped && !worker) return std::nullopt;
  if (contains(line, "Too many open files") || contains(line, "Permission denied")) return std::nullopt;
  if (mapped && contains(line, "Cannot allocate memory"))  // the file had room, the process had none
    return make(EndKind::kHostOom, "no more memory to map (RAM, or vm.max_map_count is used up): " + quoted(line));
  return make(EndKind::kShmExhausted, "/dev/shm is full: " + quoted(line));
}

std::optional<Fault> worker_killed(std::string_view line) {
  if (!contains(line, "DataLoader worker (pid")) return std::nullopt;
  const auto signal = line.find("killed by signal: ");
  if (signal == std::string_view::npos) {
    if (!contains(line, "exited unexpectedly")) return std::nullopt;
    auto fault = make(EndKind::kException, quoted(line));
    fault.by_kill = true;
    fault.secondary = true;  // what ended the worker stands before it
    return fault;
  }
  const auto name = slice(line, signal + 18);
  if (name.starts_with("Killed")) {
    auto fault = make(EndKind::kHostOom, "a loader worker was killed: " + quoted(line));
    fault.by_kill = true;
    return fault;
  }
  if (name.starts_with("Segmentation fault"))
    return make(EndKind::kSegfault, "a loader worker crashed: " + quoted(line));
  return make(name.starts_with("Terminated") ? EndKind::kKilled : EndKind::kException, quoted(line));
}

std::optional<Fault> host_memory(std::string_view line) {
  static constexpr std::array<std::string_view, 10> kTexts{"DefaultCPUAllocator: can't allocate memory",
                                                           "DefaultCPUAllocator: not enough memory",
                                                           "std::bad_alloc",
                                                           "[Errno 12] Cannot allocate memory",
                                                           "oom_kill event",
                                                           "oom-kill event",
                                                           "Out of memory: Killed process",
                                                           "node running low on memory",  // Ray
                                                           "killed due to memory pressure",
                                                           "RayOutOfMemoryError"};
  const bool numpy = contains(line, "Unable to allocate ") && contains(line, " for an array");
  const bool tensorflow = contains(line, "OOM when allocating tensor") && contains(line, "CPU:0");
  if (!says_any(line, kTexts) && !numpy && !tensorflow) return std::nullopt;
  return make(EndKind::kHostOom, "out of host memory: " + quoted(line));
}

std::optional<Fault> timeout(std::string_view line) {
  if (contains(line, "Watchdog caught collective operation timeout")) {
    std::string text = "a collective timed out";
    if (const auto op = between(line, "OpType=", ","); !op.empty()) text = std::string{op} + " timed out";
    if (const auto at = line.find("ran for "); at != std::string_view::npos) {
      if (const auto time = leading_number(slice(line, at + 8)))
        text += " after " + format_number(time->value / 1000, 0) + " s";
    }
    if (const auto number = between(line, "SeqNum=", ","); !number.empty())
      text += " (SeqNum " + std::string{number} + ")";
    return make(EndKind::kNcclTimeout, "NCCL: " + text);
  }
  // The watchdog itself hangs: "Heartbeat monitor timed out!", "…'s watchdog got stuck for 600 seconds …".
  constexpr std::string_view kStuck = "watchdog got stuck for ";
  if (const auto at = line.find(kStuck); at != std::string_view::npos) {
    const auto seconds = leading_number(slice(line, at + kStuck.size()));
    return make(
        EndKind::kNcclTimeout,
        "NCCL: its watchdog was stuck" + (seconds ? " for " + format_number(seconds->value, 0) + " s" : std::string{}));
  }
  if (contains(line, "Heartbeat monitor timed out")) return make(EndKind::kNcclTimeout, "NCCL: its watchdog was stuck");
  if (contains(line, "Timed out waiting ") && contains(line, "ms for "))
    return make(EndKind::kNcclTimeout, "gloo: " + quoted(line));
  return std::nullopt;
}

Fault child_killed() {
  auto fault = make(EndKind::kKilled, "one of its processes was killed by SIGKILL");
  fault.by_kill = true;
  return fault;
}

// The whole number behind one of these; 0 when there is none.
int code_after(std::string_view line, std::initializer_list<std::string_view> texts) {
  for (const auto text : texts) {
    const auto at = line.find(text);
    if (at == std::string_view::npos) continue;
    const auto code = leading_number(slice(line, at + text.size()));
    if (code && code->whole && code->value > -65 && code->value < 256) return static_cast<int>(code->value);
  }
  return 0;
}

// What launchers say of a process that a signal has ended: "failed (exitcode: -9) local_rank: 1", "exitcode  : -11",
// "process 1 terminated with signal SIGKILL", "died with <Signals.SIGKILL: 9>", "exits with return code = -9".
std::optional<Fault> child_signalled(std::string_view line) {
  constexpr std::string_view kCode = "exitcode";
  int signal = 0;
  if (const auto at = line.find(kCode); at != std::string_view::npos) {
    const auto rest = slice(line, at + kCode.size());
    const auto begin = rest.find_first_not_of(" :");
    const auto code = begin == std::string_view::npos ? std::nullopt : leading_number(slice(rest, begin));
    if (code && code->whole && code->value < 0 && code->value > -65) signal = static_cast<int>(-code->value);
  } else if (const auto code = code_after(line, {"return code = ", "return code: ", "exit status ", "exit code "});
             code < 0) {
    signal = -code;
  }
  for (const std::string_view text : {"terminated with signal ", "died with <Signals."}) {
    const auto named = line.find(text);
    if (named == std::string_view::npos) continue;
    const auto name = slice(line, named + text.size());
    signal = name.starts_with("SIGKILL") ? 9 : name.starts_with("SIGSEGV") ? 11 : name.starts_with("SIGBUS") ? 7 : 0;
  }
  switch (signal) {
    case 9: return child_killed();
    case 11: return make(EndKind::kSegfault, "segmentation fault in one of its processes");
    case 7: return make(EndKind::kSegfault, "bus error in one of its processes (SIGBUS)");
    default: return std::nullopt;
  }
}

// TensorFlow's runtime, which aborts afterwards.
bool is_broken_context(std::string_view line) {
  return (contains(line, "CUDA_ERROR_ILLEGAL_ADDRESS") || contains(line, "CUDA_ERROR_LAUNCH_FAILED")) &&
         (contains(line, "could not synchronize on CUDA context") || contains(line, "Error polling for event status"));
}

std::optional<Fault> crash_or_kill(std::string_view line) {
  // "[E ProcessGroupNCCL.cpp:915] [Rank 1] NCCL watchdog thread terminated with exception: CUDA error: …"
  if (const auto at = line.find("terminated with exception: CUDA error: "); at != std::string_view::npos)
    return make(EndKind::kException, quoted(slice(line, line.find("CUDA error: ", at))));
  if (is_broken_context(line)) return make(EndKind::kException, quoted(slice(line, line.find("CUDA_ERROR_"))));
  if (contains(line, "Fatal Python error: Segmentation fault") || contains(line, "Segmentation fault (core dumped)") ||
      line == "Segmentation fault" || contains(line, "Signal 11 (SIGSEGV) received by PID")) {
    return make(EndKind::kSegfault, "segmentation fault");
  }
  const bool shell = contains(line, ": line ") && contains(line, " Killed ");  // bash says so of its child
  if (contains(line, "Signal 9 (SIGKILL) received by PID") || line == "Killed" || shell) {
    return child_killed();
  }
  if (auto fault = child_signalled(line)) return fault;
  if (contains(line, "CANCELLED AT ") && contains(line, "***")) {
    const bool late = contains(line, "DUE TO TIME LIMIT");
    const bool preempted = contains(line, "DUE TO PREEMPTION");
    return make(EndKind::kKilled, late        ? "Slurm ended it: its time limit was reached"
                                  : preempted ? "Slurm ended it: preempted"
                                              : "Slurm ended it: the job was canceled");
  }
  return std::nullopt;
}

// The kernel's word, in the output of whoever reads its log: "NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, GPU has fallen
// off the bus."
std::optional<Fault> kernel_xid(std::string_view line) {
  constexpr std::string_view kXid = "NVRM: Xid (";
  const auto at = line.find(kXid);
  if (at == std::string_view::npos) return std::nullopt;
  const auto end = line.find("): ", at);
  if (end == std::string_view::npos) return std::nullopt;
  const auto number = leading_number(slice(line, end + 3));
  if (!number || !number->whole || number->value < 0 || is_application_xid(saturate<std::uint64_t>(number->value)))
    return std::nullopt;
  return make(EndKind::kXid, "Xid " + quoted(slice(line, end + 3)));
}

// What is said when another process has died first.
bool is_consequence(std::string_view message) {
  static constexpr std::array<std::string_view, 8> kTexts{
      "Connection closed by peer",     "Connection reset by peer", "Broken pipe",        "NCCL error",
      "NCCL communicator was aborted", "Socket Timeout",           "Connection refused",
      ". unexpected pos "};  // torch.save closes a file that it could not write
  return says_any(message, kTexts);
}

// Behind "terminate called after throwing an instance of 'c10::Error'": "  what():  …".
std::optional<Fault> thrown(std::string_view line) {
  constexpr std::string_view kWhat = "what():";
  if (!line.starts_with(kWhat)) return std::nullopt;
  const auto message = trimmed(slice(line, kWhat.size()));
  if (message.empty()) return std::nullopt;
  if (auto fault = read_fault(message)) return fault;
  auto fault = make(EndKind::kException, quoted(message));
  fault.secondary = is_consequence(message);
  return fault;
}

// The traceback of another process, told again: "Caught KeyError in DataLoader worker process 0." Its own follows.
bool is_told_again(std::string_view message) {
  return message.starts_with("Caught ") &&
         (contains(message, " in DataLoader worker process") || contains(message, " in replica "));
}

bool is_secondary(const PythonException& exception) {
  static constexpr std::array<std::string_view, 8> kTypes{
      "ChildFailedError",     "ProcessExitedException", "ProcessRaisedException", "DistBackendError",
      "ConnectionResetError", "BrokenPipeError",        "ConnectionRefusedError", "EOFError"};
  // torch.multiprocessing until 1.4: "Exception:", and then what the process said.
  const bool spawned = exception.message.empty() && exception.location.starts_with("spawn.py:");
  return says_any(exception.type, kTypes) || is_consequence(exception.message) || is_told_again(exception.message) ||
         spawned;
}

// Connections of multiprocessing, pools of processes.
bool lost_a_process(const PythonException& exception) {
  if (exception.type.ends_with("BrokenProcessPool") || contains(exception.type, "TerminatedWorkerError")) return true;
  static constexpr std::array<std::string_view, 3> kTypes{"ConnectionResetError", "BrokenPipeError", "EOFError"};
  static constexpr std::array<std::string_view, 4> kPlaces{"connection.py", "dataloader.py", "queues.py",
                                                           "reductions.py"};
  return says_any(exception.type, kTypes) && says_any(exception.location, kPlaces);
}

}  // namespace

bool is_application_xid(std::uint64_t xid) {
  return xid == 13 || xid == 31 || xid == 43 || xid == 45 || xid == 68 || xid == 69;
}

bool may_be_fault(std::string_view line) {
  return kPieces.any_in(line);
}

std::size_t find_possible_fault(std::string_view lines) {
  return kPieces.find_in(lines);
}

std::optional<Fault> read_fault(std::string_view line) {
  if (auto fault = shared_memory(line)) return fault;
  if (auto fault = worker_killed(line)) return fault;
  if (auto oom = read_gpu_oom(line)) {
    auto fault = make(EndKind::kGpuOom, in_words(*oom));
    fault.oom = oom;
    return fault;
  }
  if (auto fault = host_memory(line)) return fault;
  if (auto fault = timeout(line)) return fault;
  if (auto fault = kernel_xid(line)) return fault;
  if (auto fault = thrown(trimmed(line))) return fault;
  return crash_or_kill(trimmed(line));
}

std::optional<Fault> read_logged_fault(std::string_view line) {
  const auto at = line.find("NCCL error in: ");
  if (at == std::string_view::npos) return std::nullopt;
  auto fault = make(EndKind::kException, quoted(slice(line, at)));
  fault.secondary = true;
  return fault;
}

Fault fault_of(const PythonException& exception) {
  const auto whole = exception.message.empty() ? exception.type : exception.type + ": " + exception.message;
  if (auto fault = read_fault(whole)) return *fault;
  if (exception.type == "MemoryError" || exception.type.ends_with("._ArrayMemoryError"))
    return make(EndKind::kHostOom, "out of host memory: " + quoted(whole));
  if (exception.type == "KeyboardInterrupt") return make(EndKind::kKilled, "interrupted from the keyboard");
  if (exception.type.ends_with("SignalException"))
    return make(EndKind::kKilled, "its launcher was told to end: " + quoted(exception.message));
  auto fault = make(EndKind::kException, quoted(whole));
  fault.hollow = exception.message.empty();
  if (!exception.location.empty()) fault.text += " (" + quoted(exception.location) + ")";
  fault.secondary = is_secondary(exception);
  // What is at the other end of a broken connection has died, perhaps for want of memory: the kernel's counters know.
  fault.by_kill = lost_a_process(exception);
  if (fault.by_kill && fault.secondary)
    fault.text += "; a process at the other end, such as a loader worker, went away first";
  return fault;
}

}  // namespace gputop::logs
