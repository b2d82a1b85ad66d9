// Simulates PyTorch's caching allocator: what it requests from the driver, what it keeps, what it cannot use. Follows
// c10/cuda/CUDACachingAllocator.cpp for one stream. Not thread-safe.
#pragma once

#include <cstdint>
#include <limits>
#include <list>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/core/units.hpp"

namespace gputop {

struct AllocatorOptions {
  std::uint64_t capacity = std::numeric_limits<std::uint64_t>::max();        // bytes the driver can give
  std::uint64_t max_split_size = std::numeric_limits<std::uint64_t>::max();  // bytes: larger blocks are not split
  double collection_threshold = 0;  // of the capacity: above it, unused blocks are returned to the driver; 0: never
  bool expandable_segments = false;
  std::uint64_t power2_divisions = 0;  // sizes are rounded to that many steps between powers of two
};

// "expandable_segments:True,max_split_size_mb:128" as in PYTORCH_CUDA_ALLOC_CONF; ignores unknown options.
AllocatorOptions parse_allocator_options(std::string_view text, AllocatorOptions options = {});

class CachingAllocator {
 public:
  using Address = std::uint64_t;

  struct Block {
    Address address = 0;
    std::uint64_t size = 0;
    std::uint64_t requested = 0;  // 0: free
    bool used = false;
    bool small = false;
    std::uint64_t segment = 0;  // address of the segment it is part of
    std::uint64_t age = 0;      // when it was freed, for garbage collection
  };

  explicit CachingAllocator(const AllocatorOptions& options = {});

  // nullopt: out of memory, even after returning the cache. Zero bytes take no memory: address 0.
  std::optional<Address> allocate(std::uint64_t bytes);
  void release(Address address);
  void empty_cache();

  [[nodiscard]] std::uint64_t allocated() const { return allocated_; }  // bytes of blocks in use, rounded
  [[nodiscard]] std::uint64_t requested() const { return requested_; }
  [[nodiscard]] std::uint64_t reserved() const { return reserved_; }  // bytes taken from the driver
  [[nodiscard]] std::uint64_t peak_allocated() const { return peak_allocated_; }
  [[nodiscard]] std::uint64_t peak_reserved() const { return peak_reserved_; }
  [[nodiscard]] unsigned retries() const { return retries_; }  // how often the cache was returned to make room

  // All blocks in address order, for tests and explanations.
  [[nodiscard]] std::vector<Block> blocks() const;

 private:
  using Blocks = std::list<Block>;
  using Place = Blocks::iterator;
  struct Segment {
    Blocks blocks;
    std::uint64_t size = 0;
    bool small = false;
    bool expandable = false;
  };
  struct Smaller {
    using is_transparent = void;
    bool operator()(const Place& a, const Place& b) const {
      return a->size != b->size ? a->size < b->size : a->address < b->address;
    }
    bool operator()(const Place& a, std::uint64_t size) const { return a->size < size; }
  };
  using FreeBlocks = std::set<Place, Smaller>;

  [[nodiscard]] std::uint64_t rounded(std::uint64_t bytes) const;
  FreeBlocks& free_blocks(bool small) { return small ? free_small_ : free_large_; }
  std::optional<Place> find(std::uint64_t size, bool small);
  std::optional<Place> new_segment(std::uint64_t size, bool small);
  std::optional<Place> expand(std::uint64_t size, bool small);
  void split(Place block, std::uint64_t size);
  Place merge(Place block);
  void collect();
  bool give_back(std::uint64_t at_least_size, bool one);
  std::uint64_t drop_segment(std::uint64_t address);

  AllocatorOptions options_;
  std::unordered_map<std::uint64_t, Segment> segments_;  // by address
  std::unordered_map<Address, Place> used_;
  FreeBlocks free_small_;
  FreeBlocks free_large_;
  std::uint64_t next_address_;
  std::uint64_t expandable_[2] = {0, 0};  // addresses of the segments that grow: large, small
  std::uint64_t clock_ = 0;
  std::uint64_t allocated_ = 0;
  std::uint64_t requested_ = 0;
  std::uint64_t reserved_ = 0;
  std::uint64_t peak_allocated_ = 0;
  std::uint64_t peak_reserved_ = 0;
  unsigned retries_ = 0;
};

}  // namespace gputop
