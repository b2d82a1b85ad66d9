// libFuzzer: any requests under any options keep the blocks whole; any text is a rehearsal or an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "gputop/core/scan.hpp"
#include "gputop/estimator/rehearsal.hpp"

namespace {

void check_whole(const gputop::CachingAllocator& allocator) {
  std::uint64_t end = 0;
  std::uint64_t used = 0;
  std::uint64_t all = 0;
  for (const auto& block : allocator.blocks()) {
    if (block.size == 0 || block.address < end || block.requested > block.size) std::abort();
    end = block.address + block.size;
    all += block.size;
    used += block.used ? block.size : 0;
  }
  if (all != allocator.reserved() || used != allocator.allocated()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gputop;
  std::string_view bytes{reinterpret_cast<const char*>(data), size};
  const auto first = first_char(bytes);
  skip_front(bytes, 1);
  if (first == 't') {
    if (const auto trace = read_rehearsal(bytes)) {
      const auto memory = replay(*trace, {.capacity = 1ULL << 34U});
      if (memory.peak_reserved < memory.peak_allocated) std::abort();
    }
    return 0;
  }
  const auto options = slice(bytes, 0, bytes.find('\n'));
  skip_front(bytes, options.size() + 1);
  CachingAllocator allocator{parse_allocator_options(options, {.capacity = 1ULL << 30U})};
  std::vector<CachingAllocator::Address> live;
  while (bytes.size() >= 2) {
    const auto what = static_cast<unsigned char>(first_char(bytes));
    const auto amount = static_cast<unsigned char>(char_at(bytes, 1));
    skip_front(bytes, 2);
    if (what < 40 && !live.empty()) {
      const auto index = amount % live.size();
      allocator.release(live[index]);
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(index));
    } else if (what < 44) {
      allocator.empty_cache();
    } else if (const auto got = allocator.allocate((1ULL << (what % 28)) + 1234 * amount)) {
      if (*got != 0) live.push_back(*got);
    }
    if (what % 8 == 0) check_whole(allocator);
  }
  for (const auto address : live) allocator.release(address);
  check_whole(allocator);
  if (allocator.allocated() != 0) std::abort();
  return 0;
}
