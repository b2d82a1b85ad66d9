#include "gputop/core/confidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace gputop {
namespace {

constexpr std::size_t kMostBlocks = 20;
constexpr std::size_t kFewestBlocks = 3;

struct Moments {
  double mean = 0;        // of all readings
  Reading<double> error;  // its standard error, from the spread of the block means
  double degrees = 0;
};

Reading<Moments> moments(std::span<const Block> blocks) {
  const std::size_t count = std::min(kMostBlocks, blocks.size());
  std::vector<Block> joined(count);
  Block all;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    joined[i * count / blocks.size()].merge(blocks[i]);
    all.merge(blocks[i]);
  }
  if (all.count == 0) return std::nullopt;
  Moments result{.mean = all.mean(), .error = std::nullopt, .degrees = 0};
  std::erase_if(joined, [](const Block& block) { return block.count == 0; });
  if (joined.size() < kFewestBlocks) return result;
  double mean = 0;
  for (const auto& block : joined) mean += block.mean() / static_cast<double>(joined.size());
  double squares = 0;
  for (const auto& block : joined) squares += (block.mean() - mean) * (block.mean() - mean);
  result.degrees = static_cast<double>(joined.size() - 1);
  result.error = std::sqrt(squares / result.degrees / static_cast<double>(joined.size()));
  return result;
}

}  // namespace

// A table up to six degrees of freedom, interpolated in their reciprocal, because Welch's test has fractions of them:
// never too narrow, at most 2 % too wide above 2. From six on, Cornish and Fisher's expansion around the normal
// distribution is within 0.1 %.
double student_t(double degrees) {
  constexpr std::array<double, 6> kTable{12.706, 4.303, 3.182, 2.776, 2.571, 2.447};
  if (degrees < 6) {
    const double whole = std::max(1.0, std::floor(degrees));
    const double share = degrees <= 1 ? 0 : (1 / whole - 1 / degrees) * whole * (whole + 1);
    const auto at = static_cast<std::size_t>(whole);
    return kTable[at - 1] + share * (kTable[at] - kTable[at - 1]);
  }
  constexpr double z = 1.959964;
  constexpr double z3 = z * z * z;
  constexpr double z5 = z3 * z * z;
  constexpr double z7 = z5 * z * z;
  return z + (z3 + z) / (4 * degrees) + (5 * z5 + 16 * z3 + 3 * z) / (96 * degrees * degrees) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * degrees * degrees * degrees);
}

Reading<Estimated> estimated_mean(std::span<const Block> blocks) {
  const auto m = moments(blocks);
  if (!m) return std::nullopt;
  Estimated result{.mean = m->mean, .plus_minus = std::nullopt};
  if (m->error) result.plus_minus = *m->error * student_t(m->degrees);
  return result;
}

Reading<bool> Difference::certain() const {
  if (!absolute.plus_minus) return std::nullopt;
  return std::abs(absolute.mean) > *absolute.plus_minus;
}

Reading<Difference> difference(std::span<const Block> a, std::span<const Block> b) {
  const auto from = moments(a);
  const auto to = moments(b);
  if (!from || !to) return std::nullopt;
  Difference result{.absolute = {to->mean - from->mean, std::nullopt}, .relative = std::nullopt};
  if (from->mean != 0) result.relative = Estimated{to->mean / from->mean - 1, std::nullopt};
  if (!from->error || !to->error) return result;
  const double va = *from->error * *from->error;
  const double vb = *to->error * *to->error;
  const double denominator = va * va / from->degrees + vb * vb / to->degrees;
  const double degrees =
      denominator > 0 ? std::max(1.0, (va + vb) * (va + vb) / denominator) : from->degrees + to->degrees;
  const double factor = student_t(degrees);
  result.absolute.plus_minus = factor * std::sqrt(va + vb);
  if (result.relative) {
    const double ratio = to->mean / from->mean;
    // The error of a quotient, to first order.
    result.relative->plus_minus = factor * std::sqrt(vb + ratio * ratio * va) / std::abs(from->mean);
  }
  return result;
}

}  // namespace gputop
