// One stream of a job's output in shared memory. RingWriter is the keeper's end, RingReader the engine's; they may be
// in different processes, and either may die at any instruction without harming the other. Neither trusts what the
// other writes: each keeps the sizes and its own position itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include "gputop/run/shared_run.hpp"

namespace gputop::run {

// Where one is.
struct RingPlace {
  StreamState* state = nullptr;
  char* data = nullptr;
  std::uint64_t capacity = 0;
  std::uint64_t offset = 0;  // of the data, in the memfd
};

class RingWriter {
 public:
  RingWriter() = default;
  explicit RingWriter(const RingPlace& place)
      : state_(place.state),
        data_(place.data),
        capacity_(place.capacity),
        written_(state_->written.load()),
        tail_(std::min(state_->tail.load(), written_)) {}

  [[nodiscard]] std::uint64_t written() const { return written_; }
  [[nodiscard]] std::uint64_t capacity() const { return capacity_; }

  // Bytes the engine still needs. The engine's value is not trusted beyond what was written.
  [[nodiscard]] std::uint64_t held() const {
    const auto released = std::min(state_->released.load(std::memory_order_acquire), written_);
    const auto oldest = std::max(released, tail_);
    return std::min(written_ - oldest, capacity());
  }
  [[nodiscard]] std::uint64_t room() const { return capacity() - held(); }

  // The next free bytes in one piece (to read(2) into); publish() what was put there.
  [[nodiscard]] std::span<char> free_piece(std::size_t most) {
    const auto at = written_ % capacity();
    return {data_ + at, static_cast<std::size_t>(std::min({room(), capacity() - at, std::uint64_t{most}}))};
  }
  void publish(std::size_t count) {
    written_ += count;
    state_->written.store(written_, std::memory_order_seq_cst);
  }

  // Whatever somebody else wrote there.
  void insist() {
    if (state_->written.load(std::memory_order_relaxed) != written_) state_->written.store(written_, std::memory_order_seq_cst);
    if (state_->tail.load(std::memory_order_relaxed) != tail_) state_->tail.store(tail_, std::memory_order_seq_cst);
  }

  // free_piece(), prepared for a read during which this process may be killed.
  [[nodiscard]] std::span<char> reading_piece(std::size_t most) {
    const auto piece = free_piece(most);
    state_->reading_bytes.store(0, std::memory_order_seq_cst);
    std::memset(piece.data(), kUnread, piece.size());
    state_->reading_at.store(written_, std::memory_order_seq_cst);
    state_->reading_bytes.store(piece.size(), std::memory_order_seq_cst);
    return piece;
  }
  // Publishes what a killed predecessor had read but not published.
  void recover() {
    if (state_->reading_at.load() != written_) return;
    const auto piece = free_piece(static_cast<std::size_t>(state_->reading_bytes.load()));
    auto count = piece.size();
    while (count > 0 && piece[count - 1] == kUnread) --count;
    publish(count);
  }

  // Writes even without room: the oldest unread bytes are dropped. A reader inside them notices through `tail`, which
  // moves first.
  void give_way(std::size_t bytes) {
    const auto end = written_ + bytes;
    if (end <= capacity() || end - capacity() <= tail_) return;
    tail_ = end - capacity();
    state_->tail.store(tail_, std::memory_order_seq_cst);
  }
  void overwrite(std::span<const char> bytes) {
    give_way(bytes.size());
    const auto at = written_ % capacity();
    const auto first = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), capacity() - at));
    std::memcpy(data_ + at, bytes.data(), first);
    std::memcpy(data_, bytes.data() + first, bytes.size() - first);
    publish(bytes.size());
  }

 private:
  StreamState* state_ = nullptr;
  char* data_ = nullptr;
  std::uint64_t capacity_ = 0;
  std::uint64_t written_ = 0;  // own copies: the shared words are write-only here
  std::uint64_t tail_ = 0;
};

class RingReader {
 public:
  struct Piece {
    std::uint64_t offset = 0;  // of the first byte
    std::size_t bytes = 0;
    std::uint64_t lost = 0;  // bytes before `offset` that were overwritten unread
  };

  RingReader() = default;
  explicit RingReader(const RingPlace& place)
      : state_(place.state),
        data_(place.data),
        capacity_(place.capacity),
        position_(state_->released.load(std::memory_order_acquire)) {}

  [[nodiscard]] std::uint64_t position() const { return position_; }
  [[nodiscard]] std::uint64_t capacity() const { return capacity_; }
  [[nodiscard]] std::uint64_t written() const { return state_->written.load(std::memory_order_seq_cst); }
  // Not before what was released: the keeper may have overwritten that already.
  void seek(std::uint64_t offset) {
    position_ = std::min(std::max(offset, state_->released.load(std::memory_order_acquire)), written());
  }

  Piece read(std::span<char> into) {
    Piece piece;
    const auto end = written();
    if (const auto tail = state_->tail.load(); tail > position_) skip_to(tail, piece);
    auto count = static_cast<std::size_t>(
        std::min<std::uint64_t>({into.size(), capacity_, end > position_ ? end - position_ : 0}));
    const auto at = position_ % capacity_;
    const auto first = static_cast<std::size_t>(std::min<std::uint64_t>(count, capacity_ - at));
    std::memcpy(into.data(), data_ + at, first);
    std::memcpy(into.data() + first, data_, count - first);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    // Overwritten while we copied: those bytes are newer now.
    if (const auto tail = state_->tail.load(); tail > position_) {
      const auto spoiled = static_cast<std::size_t>(std::min<std::uint64_t>(tail - position_, count));
      std::memmove(into.data(), into.data() + spoiled, count - spoiled);
      count -= spoiled;
      skip_to(tail, piece);
    }
    piece.offset = position_;
    piece.bytes = count;
    position_ += count;
    state_->consumed.store(position_, std::memory_order_relaxed);
    return piece;
  }

 private:
  void skip_to(std::uint64_t offset, Piece& piece) {
    piece.lost += offset - position_;
    position_ = offset;
  }

  StreamState* state_ = nullptr;
  const char* data_ = nullptr;
  std::uint64_t capacity_ = 0;
  std::uint64_t position_ = 0;
};

}  // namespace gputop::run
