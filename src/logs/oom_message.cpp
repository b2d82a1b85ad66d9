#include "logs/oom_message.hpp"

#include <algorithm>
#include <array>

#include "gputop/core/format.hpp"
#include "gputop/core/saturate.hpp"
#include "gputop/core/scan.hpp"
#include "logs/text.hpp"

namespace gputop::logs {
namespace {

// The bytes that follow this text.
Reading<Bytes> bytes_after(std::string_view line, std::string_view text) {
  const auto at = line.find(text);
  if (at == std::string_view::npos) return std::nullopt;
  return leading_bytes(trimmed(slice(line, at + text.size())));
}

// "693.78 MiB already allocated": the number stands before the text.
Reading<Bytes> bytes_before(std::string_view line, std::string_view text) {
  const auto end = line.find(text);
  if (end == std::string_view::npos) return std::nullopt;
  auto begin = end;
  const auto is_part = [](char c) { return is_alnum(c) || c == '.' || c == ',' || c == ' '; };
  while (begin > 0 && is_part(char_at(line, begin - 1))) --begin;
  auto words = slice(line, begin, end - begin);
  // From the last word that is a number on.
  for (auto at = words.find_last_of("0123456789"); at != std::string_view::npos;) {
    while (at > 0 &&
           (is_digit(char_at(words, at - 1)) || char_at(words, at - 1) == '.' || char_at(words, at - 1) == ','))
      --at;
    return leading_bytes(slice(words, at));
  }
  return std::nullopt;
}

Reading<unsigned> index_after(std::string_view line, std::string_view text) {
  const auto at = line.find(text);
  if (at == std::string_view::npos) return std::nullopt;
  const auto number = leading_number(slice(line, at + text.size()));
  if (!number || !number->whole || number->value < 0 || number->value > 1024) return std::nullopt;
  return saturate<unsigned>(number->value);
}

Bytes minus(Bytes a, Bytes b) {
  return a > b ? a - b : Bytes{};
}

// "Process 20398 has 14.52 GiB memory in use." for each other process. In a container the driver's PIDs are foreign, so
// that torch takes its own process for another: the one that holds what torch has reserved, and a CUDA context, is it.
void read_processes(std::string_view line, GpuOom& oom) {
  constexpr Bytes kMostContext{std::uint64_t{3} << 30U};
  const auto reserved = oom.allocated ? *oom.allocated + oom.reserved_unallocated.value_or(Bytes{}) : Bytes{};
  for (auto at = line.find("Process "); at != std::string_view::npos; at = line.find("Process ", at + 8)) {
    const auto rest = slice(line, at + 8);
    const auto pid = leading_number(rest);
    if (!pid || !slice(rest, pid->length).starts_with(" has ")) continue;
    const auto used = leading_bytes(slice(rest, pid->length + 5));
    if (!used) continue;
    if (!oom.in_use && oom.allocated && *used >= reserved && *used <= reserved + kMostContext) {
      oom.in_use = used;
    } else {
      oom.neighbours = oom.neighbours.value_or(Bytes{}) + *used;
    }
  }
}

GpuOom read_torch(std::string_view line) {
  GpuOom oom;
  oom.gpu = index_after(line, "(GPU ");
  if (!oom.gpu) oom.gpu = index_after(line, "GPU ");
  oom.requested = bytes_after(line, "Tried to allocate ");
  // Until 2.0: "(GPU 0; 6.00 GiB total capacity; 693.78 MiB already allocated; 3.91 GiB free; 18.22 MiB cached)"
  if (contains(line, " total capacity;")) {
    oom.total = bytes_before(line, " total capacity;");
    oom.allocated = bytes_before(line, " already allocated");
    oom.free = bytes_before(line, " free;");
    if (!oom.free) oom.free = bytes_before(line, " free)");
    oom.allowed = bytes_before(line, " allowed;");
    if (const auto reserved = bytes_before(line, " reserved in total by PyTorch"); reserved && oom.allocated) {
      oom.reserved_unallocated = minus(*reserved, *oom.allocated);
    } else {
      oom.reserved_unallocated = bytes_before(line, " cached)");  // up to 1.3: what is reserved beyond the allocated
    }
    return oom;
  }
  if (contains(line,
               "MPS allocated: ")) {  // Apple's: "(MPS allocated: 9.57 GiB, other allocations: …, max allowed: …)"
    oom.allocated = bytes_after(line, "MPS allocated: ");
    oom.allowed = bytes_after(line, "max allowed: ");
    return oom;
  }
  oom.total = bytes_after(line, "total capacity of ");
  if (!oom.total) oom.total = bytes_after(line, "total capacty of ");  // so spelt by torch 2.1
  oom.free = bytes_after(line, " of which ");
  oom.allowed = bytes_before(line, " allowed;");
  oom.in_use = bytes_after(line, "this process has ");
  oom.allocated = bytes_after(line, "Of the allocated memory ");
  oom.reserved_unallocated = bytes_before(line, " is reserved by PyTorch but unallocated");
  read_processes(line, oom);
  return oom;
}

// TensorFlow: "OOM when allocating tensor with shape[25088,4096] and type float on /job:localhost/…/device:GPU:0 by
// allocator GPU_0_bfc"
GpuOom read_tensorflow(std::string_view line) {
  GpuOom oom;
  oom.gpu = index_after(line, "GPU:");
  auto shape = between(line, "shape[", "]");
  double bytes = 4;
  for (const auto& [name, size] : {std::pair{"type half", 2.0},
                                   {"type bfloat16", 2.0},
                                   {"type double", 8.0},
                                   {"type int64", 8.0},
                                   {"type bool", 1.0},
                                   {"type uint8", 1.0}}) {
    if (contains(line, name)) bytes = size;
  }
  if (shape.empty()) return oom;
  while (!shape.empty()) {
    const auto end = std::min(shape.find(','), shape.size());
    const auto size = leading_number(trimmed(slice(shape, 0, end)));
    if (!size || size->value < 0) return oom;
    bytes *= size->value;
    skip_front(shape, end + 1);
  }
  if (bytes < 1e18) oom.requested = Bytes{saturate<std::uint64_t>(bytes)};
  return oom;
}

// Forms that say how much was asked for and little else.
GpuOom read_other(std::string_view line) {
  GpuOom oom;
  for (const std::string_view text :
       {"trying to allocate ", "Out of memory allocating ", "out of memory allocating ", "Cannot allocate ",
        "failed to allocate ", "Failed to allocate request for ", "ttempting to reserve ", "ttempting to allocate ", "allocating ",
        "calloc async ", "calloc "}) {
    if (!oom.requested) oom.requested = bytes_after(line, text);
  }
  oom.allocated = bytes_before(line, " memory has been allocated");
  if (!oom.allocated) oom.allocated = bytes_after(line, "allocated so far: ");
  oom.free = bytes_after(line, "available memory is only ");
  for (const std::string_view text : {"GPU ", "GPU_", "on device "}) {
    if (!oom.gpu) oom.gpu = index_after(line, text);
  }
  return oom;
}

// vLLM, before it takes its share: "Free memory on device (10.2/23.64 GiB) on startup is less than desired GPU memory
// utilization (0.9, 21.28 GiB)". What is not free belongs to others.
GpuOom read_reservation(std::string_view line) {
  GpuOom oom;
  const auto pair = between(line, "Free memory on device", ")");
  const auto open = pair.find('(');
  const auto slash = pair.find('/');
  if (open == std::string_view::npos || slash == std::string_view::npos) return oom;
  oom.total = leading_bytes(trimmed(slice(pair, slash + 1)));
  const auto free = leading_number(trimmed(slice(pair, open + 1)));
  const auto total = leading_number(trimmed(slice(pair, slash + 1)));
  if (oom.total && free && total && free->value >= 0 && total->value > 0)
    oom.free = *oom.total * (free->value / total->value);
  const auto wanted = between(line, "utilization (", ")");
  if (const auto comma = wanted.find(','); comma != std::string_view::npos)
    oom.requested = leading_bytes(trimmed(slice(wanted, comma + 1)));
  oom.in_use = Bytes{};
  return oom;
}

bool is_quiet_form(std::string_view line) {
  static constexpr std::array<std::string_view, 20> kForms{"_STATUS_ALLOC_FAILED",  // cuBLAS, cuDNN, cuSOLVER
                                                           "Out of GPU memory trying to allocate ",  // Julia
                                                           "_STATUS_ALLOCATION_FAILED",
                                                           "CUFFT_ALLOC_FAILED",
                                                           "CUDA error: out of memory",
                                                           "CUDA driver error: out of memory",
                                                           "CUDA out of memory",
                                                           "HIP out of memory",
                                                           "HIP error: out of memory",
                                                           "hipErrorOutOfMemory",
                                                           "cudaErrorMemoryAllocation",
                                                           "CUDA_ERROR_OUT_OF_MEMORY",
                                                           "cudaMalloc failed: out of memory",
                                                           "XPU out of memory",
                                                           "MPS backend out of memory",
                                                           "ran out of memory in memory space hbm",
                                                           "Failed to CUDA calloc",  // NCCL
                                                           "No available memory for the cache blocks",
                                                           "_bfc) ran out of memory trying to allocate",
                                                           "cudaSuccess (2 vs. 0)"};
  const bool nccl = contains(line, "Cuda failure") && contains(line, "'out of memory'");
  const bool again = contains(line, "cudaMalloc retry failed: out of memory");  // MXNet
  const bool place = contains(line, "out of memory at line ") && contains(line, " in file ");  // bitsandbytes
  const bool survived = contains(line, "this is not a failure");                               // TensorFlow tries again
  return !survived &&
         (nccl || again || place || std::any_of(kForms.begin(), kForms.end(), [&](auto form) { return contains(line, form); }));
}

}  // namespace

std::optional<GpuOom> read_gpu_oom(std::string_view line) {
  std::optional<GpuOom> oom;
  const bool says_memory =
      contains(line, "out of memory") || contains(line, "Out of memory") || contains(line, "OutOfMemoryError");
  if (says_memory && contains(line, "Tried to allocate ")) {
    oom = read_torch(line);
  } else if (contains(line, "OOM when allocating tensor")) {
    if (contains(line, "/device:CPU") || contains(line, "CPU:0")) return std::nullopt;
    oom = read_tensorflow(line);
  } else if ((contains(line, "RESOURCE_EXHAUSTED") || contains(line, "Resource exhausted: ")) &&
             (says_memory || contains(line, "ailed to allocate") || contains(line, "ttempting to reserve ") ||
              contains(line, "ttempting to allocate "))) {
    oom = read_other(line);
  } else if (says_memory &&
             (contains(line, "memory error on GPU") || contains(line, "OutOfMemoryError: Out of memory allocating") ||
              contains(line, "would exceed allowed memory"))) {
    oom = read_other(line);
  } else if (contains(line, "Free memory on device") && contains(line, "less than desired GPU memory")) {
    oom = read_reservation(line);
  } else if (contains(line, "would exceed allowed memory") || is_quiet_form(line) ||
             contains(line, "OutOfMemoryError: Allocation on device")) {
    oom = read_other(line);
  }
  if (oom) oom->kind = kind_of(*oom);
  return oom;
}

bool continue_gpu_oom(std::string_view line, GpuOom& oom) {
  const auto text = trimmed(line);
  const auto colon = text.find(": ");
  if (colon == std::string_view::npos) return false;
  const auto key = trimmed(slice(text, 0, colon));
  const auto bytes = leading_bytes(trimmed(slice(text, colon + 2)));
  if (!bytes) return false;
  if (key == "Currently allocated")
    oom.allocated = bytes;
  else if (key == "Requested")
    oom.requested = bytes;
  else if (key == "Device limit")
    oom.total = bytes;
  else if (key == "Free (according to CUDA)")
    oom.free = bytes;
  else
    return false;
  oom.kind = kind_of(oom);
  return true;
}

namespace {

// What other processes hold, as far as the message tells.
Reading<Bytes> others_of(const GpuOom& oom) {
  // Messages up to 2.0 do not count the CUDA context and the libraries' own memory: up to 1.8 GB of what is missing is
  // ours.
  constexpr Bytes kContext{std::uint64_t{1843} << 20U};
  Reading<Bytes> ours = oom.in_use;
  if (!ours && oom.allocated) ours = *oom.allocated + oom.reserved_unallocated.value_or(Bytes{}) + kContext;
  if (!ours || !oom.total || !oom.free) return std::nullopt;
  return minus(minus(*oom.total, *oom.free), *ours);
}

}  // namespace

GpuOom::Kind kind_of(const GpuOom& oom) {
  using Kind = GpuOom::Kind;
  const bool numbers = oom.requested || oom.total || oom.free || oom.allocated;
  if (!numbers) return Kind::kUnclear;
  // "If reserved memory is >> allocated memory": scraps of a full board are none.
  constexpr double kScraps = 0.02;
  // Others hold much of the board, and the fragments of our part are few.
  constexpr double kMuch = 0.3;
  constexpr double kFew = 0.1;
  const auto scraps = oom.allocated ? *oom.allocated * kScraps : Bytes{};
  const auto others = others_of(oom);
  if (oom.requested && oom.reserved_unallocated && *oom.reserved_unallocated >= *oom.requested &&
      *oom.reserved_unallocated >= scraps)
    return others && *others > *oom.total * kMuch && *oom.reserved_unallocated < *oom.allocated * kFew
               ? Kind::kNeighbour
               : Kind::kFragmentation;
  // The board had room, so it was the cap.
  if (oom.allowed && oom.requested && oom.free && *oom.free >= *oom.requested) return Kind::kCap;
  if (oom.total && oom.free) {
    if (others) {
      const bool large =
          *others >= *oom.total * 0.1 || (oom.requested && *others >= *oom.requested && *others >= *oom.total * 0.05);
      if (large) return Kind::kNeighbour;
    }
    if (oom.neighbours && *oom.neighbours >= *oom.total * 0.1) return Kind::kNeighbour;
  }
  if (oom.allowed) return Kind::kCap;
  // There was room, by the message itself: what was in the way it does not say.
  constexpr Bytes kBlock{std::uint64_t{64} << 20U};  // the allocator asks for more than it was asked for
  if (oom.free && oom.requested && *oom.free > *oom.requested * 2.0 + kBlock) return Kind::kUnclear;
  return Kind::kTooBig;
}

std::string in_words(const GpuOom& oom) {
  std::string text = "GPU";
  if (oom.gpu) text += " " + std::to_string(*oom.gpu);
  text += " out of memory";
  switch (oom.kind) {
    case GpuOom::Kind::kTooBig: text += ", the run is too big for it"; break;
    case GpuOom::Kind::kFragmentation: text += ", fragmented"; break;
    case GpuOom::Kind::kNeighbour: text += ", other processes hold it"; break;
    case GpuOom::Kind::kCap: text += ", a cap on this process was reached"; break;
    case GpuOom::Kind::kUnclear: break;
  }
  auto add = [&, first = true](const Reading<Bytes>& bytes, std::string_view what) mutable {
    if (!bytes) return;
    text += (first ? ": " : ", ") + format_bytes(*bytes) + " " + std::string{what};
    first = false;
  };
  add(oom.requested, "asked for");
  add(oom.free, "free");
  add(oom.total, "in total");
  add(oom.allowed, "allowed");
  if (oom.in_use != Bytes{}) add(oom.in_use, "in use by this process");
  add(oom.neighbours, "by others");
  add(oom.allocated, "allocated");
  add(oom.reserved_unallocated, "reserved but unallocated");
  return text;
}

}  // namespace gputop::logs
