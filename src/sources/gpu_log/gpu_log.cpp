#include "gputop/sources/gpu_log.hpp"

#include <algorithm>
#include <optional>

#include "gputop/core/scan.hpp"
#include "sources/gpu_log/readers.hpp"

namespace gputop {
namespace {

struct LogReader {
  bool (*is)(std::string_view text);
  Result<SmiLog> (*read)(std::string_view text, std::string_view file);
};
constexpr LogReader kReaders[] = {
#define READER(name, what) {gpu_log::is_##name, gpu_log::read_##name},
#include "sources/gpu_log/readers.def"
#undef READER
};

// Why no reader understands a file: by its first bytes,
std::string_view other_kind(std::string_view bytes) {
#define BYTES(piece, reason) \
  if (bytes.starts_with(piece)) return reason;
#define TEXT(piece, reason)
#include "sources/gpu_log/refusals.def"
#undef BYTES
#undef TEXT
  return {};
}
// or by its text.
std::string_view other_text(std::string_view text) {
#define BYTES(piece, reason)
#define TEXT(piece, reason) \
  if (text.find(piece) != std::string_view::npos) return reason;
#include "sources/gpu_log/refusals.def"
#undef BYTES
#undef TEXT
  return {};
}

// nvidia-smi pmon ("# gpu        pid  type …") and --query-compute-apps have one line per process.
bool is_of_processes(std::string_view text) {
  const auto line = slice(text, 0, std::min<std::size_t>(text.find('\n'), 4096));
  const auto has = [&](std::string_view word) { return line.find(word) != std::string_view::npos; };
  return (line.starts_with('#') && has(" gpu ") && has(" pid ")) ||
         (has("pid") && (has("used_gpu_memory") || has("used_memory"))) || has("process_name");
}

// nvidia-smi's own column names.
bool names_columns(std::string_view text) {
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  return has("utilization.gpu") || has("memory.used") || has("power.draw");
}

std::size_t rounds_of(const Result<SmiLog>& log) {
  if (!log) return 0;
  return static_cast<std::size_t>(std::count_if(log->events.begin(), log->events.end(), [](const Event& event) {
    return std::holds_alternative<GpusSampled>(event.payload);
  }));
}

// Whether a reading has any value at all: rows of unrelated files have none.
bool says_anything(const SmiLog& log) {
  return std::any_of(log.events.begin(), log.events.end(), [](const Event& event) {
    const auto* sampled = std::get_if<GpusSampled>(&event.payload);
    return sampled != nullptr && std::any_of(sampled->gpus.begin(), sampled->gpus.end(), [](const GpuReading& gpu) {
             return gpu.utilization || gpu.memory_utilization || gpu.memory_used || gpu.power || gpu.temperature ||
                    gpu.sm_clock || gpu.memory_clock;
           });
  });
}

Error refused(std::string_view file, std::string_view reason) {
  return {Error::Kind::kInvalid, std::string{file} + ": " + std::string{reason}};
}

}  // namespace

Result<SmiLog> parse_gpu_log(std::string_view text, std::string_view file, const std::vector<std::string>& columns) {
  const auto begin = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (begin == std::string_view::npos) return refused(file, "is empty: nothing was recorded or logged into it");
  skip_front(text, begin);
  std::optional<Result<SmiLog>> best;
  const auto offer = [&](Result<SmiLog> log) {
    if (!best || rounds_of(log) > rounds_of(*best)) best = std::move(log);
  };
  if (columns.empty()) {
    for (const auto& reader : kReaders) {
      if (reader.is(text)) offer(reader.read(text, file));
    }
  }
  const bool json = gpu_log::is_gpustat_json(text);
  if (!best || (!json && names_columns(text))) {
    if (is_of_processes(text)) {
      offer(refused(file, "holds processes (nvidia-smi pmon or --query-compute-apps), and no readings of GPUs; " +
                              std::string{kLogsThatAreRead}));
    } else {
      auto log = parse_smi_log(text, file, columns);
      if (log && !says_anything(*log)) log = refused(file, "holds no readings of a GPU; " + std::string{kLogsThatAreRead});
      offer(std::move(log));
    }
  }
  if (!*best) {
    if (const auto reason = other_text(text); !reason.empty()) return refused(file, reason);
  }
  return *std::move(best);
}

Result<SmiLog> read_gpu_log(std::string bytes, std::string_view file, const std::vector<std::string>& columns) {
  if (const auto reason = other_kind(bytes); !reason.empty()) return refused(file, reason);
  std::size_t holes = 0;
  const auto text = plain_text(std::move(bytes), &holes);
  if (!text)
    return Error{Error::Kind::kNotSupported,
                 std::string{file} + ": is not text, and no gputop recording; " + std::string{kLogsThatAreRead}};
  auto log = parse_gpu_log(*text, file, columns);
  if (log && holes > 0) {
    log->notes.push_back(std::to_string(holes) +
                         " bytes of it were never written (zeros: a crash, or a log emptied under its writer)");
  }
  return log;
}

}  // namespace gputop
