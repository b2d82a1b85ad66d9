// Does a line hold one of a few words? One pass, about a nanosecond a byte: the sieve before what is dear. It may say
// yes in error.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace gputop::logs {

// Pieces of four bytes, whatever the case.
class PieceSet {
 public:
  template <std::size_t N>
  constexpr explicit PieceSet(const std::array<std::string_view, N>& pieces) {
    for (const auto piece : pieces) {
      std::uint32_t letters = 0;
      for (std::size_t i = 0; i < kPiece; ++i)
        letters |= static_cast<std::uint32_t>(static_cast<unsigned char>(piece.at(i))) << (8 * i);
      const auto slot = slot_of(letters);
      bits_[slot / 64] |= std::uint64_t{1} << slot % 64;
    }
  }

  // Where the first one stands.
  [[nodiscard]] std::size_t find_in(std::string_view text) const {
    for (std::size_t at = 0; at + kPiece <= text.size(); ++at) {
      std::uint32_t letters = 0;
      std::memcpy(&letters, text.data() + at, kPiece);
      const auto slot = slot_of(letters);
      if ((bits_[slot / 64] >> slot % 64 & 1U) != 0) return at;
    }
    return std::string_view::npos;
  }
  [[nodiscard]] bool any_in(std::string_view line) const { return find_in(line) != std::string_view::npos; }

 private:
  static constexpr std::size_t kPiece = 4;
  static constexpr std::uint32_t kFold = 0x20202020;  // makes capitals small and keeps the rest apart well enough
  static constexpr std::uint32_t slot_of(std::uint32_t letters) { return (letters | kFold) * 0x9E3779B1U >> 16U; }

  std::array<std::uint64_t, 1024> bits_{};
};

}  // namespace gputop::logs
