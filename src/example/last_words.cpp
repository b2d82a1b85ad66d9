#include "example/last_words.hpp"

#include "gputop/core/format.hpp"

namespace gputop {
namespace {

// As PyTorch's allocator words a size: two decimals, the unit stays up to and including 1024 of it.
std::string size(Bytes bytes) {
  const auto value = static_cast<double>(bytes.value());
  if (bytes.value() <= 1024) return std::to_string(bytes.value()) + " bytes";
  if (bytes.value() <= (1U << 20U)) return format_number(value / (1U << 10U), 2) + " KiB";
  if (bytes.value() <= (1U << 30U)) return format_number(value / (1U << 20U), 2) + " MiB";
  return format_number(value / (1U << 30U), 2) + " GiB";
}

std::string traceback(const std::string& statement, const std::string& last_line) {
  return "Traceback (most recent call last):\n"
         "  File \"train.py\", line 118, in <module>\n"
         "    train_one_epoch(model, loader, optimizer, epoch)\n"
         "  File \"train.py\", line 76, in train_one_epoch\n"
         "    " +
         statement + "\n" + last_line + "\n";
}

}  // namespace

std::string out_of_memory_traceback(const SimOutOfMemory& oom,
                                    const std::vector<std::pair<std::int64_t, Bytes>>& neighbours) {
  std::string processes;
  for (const auto& [pid, memory] : neighbours) {
    processes += "Process " + std::to_string(pid) + " has " + size(memory) + " memory in use. ";
  }
  return traceback(
      "logits = model(images)",
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate " + size(oom.requested) +
          ". GPU 0 has a total capacity of " + size(oom.capacity) + " of which " + size(oom.free) + " is free. " +
          processes + "Including non-PyTorch memory, this process has " + size(oom.in_use) +
          " memory in use. Of the allocated memory " + size(oom.allocated) + " is allocated by PyTorch, and " +
          size(oom.reserved) +
          " is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting "
          "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory "
          "Management  (https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)");
}

std::string keyboard_interrupt_traceback() {
  return traceback("for images, labels in loader:", "KeyboardInterrupt");
}

}  // namespace gputop
