// The last steps that all reporting ranks have in common, and who came last at each. A party is a rank, or all ranks of
// a node: what slows a node down slows each of its ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gputop/job/explain.hpp"

namespace gputop::job {

class CommonSteps {
 public:
  static constexpr std::size_t kMost = 64;
  static constexpr std::size_t kFewest = 8;  // to judge by

  // kLately: those of the last seconds, at least kFewest. A fault that has just begun is soon all there is in them.
  enum class Span : std::uint8_t { kAll, kLately };

  explicit CommonSteps(const std::vector<Rank>& ranks, bool by_node = false, Span span = Span::kAll);

  [[nodiscard]] std::size_t size() const { return moments_.size(); }
  [[nodiscard]] std::size_t speakers() const { return speakers_; }
  [[nodiscard]] std::size_t parties() const { return party_count_; }
  // Reporting ranks of other parties.
  [[nodiscard]] std::size_t others(std::size_t rank) const;
  [[nodiscard]] double step_ms() const { return step_ms_; }
  [[nodiscard]] double communication_ms() const;

  // The rank whose party came last most often, and within it the one that did most often.
  [[nodiscard]] std::optional<std::size_t> mostly_last() const;
  [[nodiscard]] double last_share(std::size_t rank) const;  // of its party
  // Mean time of a step in which everyone else had already arrived.
  [[nodiscard]] double held_ms(std::size_t rank) const;
  // How long a rank waits for the last one, on average.
  [[nodiscard]] double held_ms() const;

  // Largest batch ÷ mean, averaged over the steps; unknown if a rank does not report it.
  [[nodiscard]] Reading<double> items_spread() const;
  // The rank with the largest batch came last in most steps.
  [[nodiscard]] bool largest_comes_last() const;

  struct Means {
    double own = 0;
    double input = 0;
    double cpu = 0;
    double items = 0;
  };
  // nullopt: it does not report these steps.
  [[nodiscard]] const std::optional<Means>& means(std::size_t rank) const { return means_[rank]; }
  [[nodiscard]] bool same_party(std::size_t a, std::size_t b) const { return party_[a] == party_[b]; }

 private:
  struct Moment {
    double first = 0;   // the shortest exchange: that of the last to arrive
    double second = 0;  // the shortest of the other parties
    std::size_t last_rank = 0;
    double waits = 0;   // sum over ranks, beyond the shortest
    double items = 0;
    double most_items = 0;
    std::size_t most_items_rank = 0;
    bool items_known = true;
  };
  void choose(const std::vector<Rank>& ranks);
  void keep_lately(const std::vector<Rank>& ranks);
  void add(const std::vector<Rank>& ranks);

  std::vector<std::size_t> party_;  // of each rank
  std::size_t party_count_ = 0;
  std::vector<bool> speaks_;
  std::size_t speakers_ = 0;
  std::uint64_t begin_ = 0;  // step numbers
  std::uint64_t end_ = 0;
  std::vector<Moment> moments_;
  std::vector<std::optional<Means>> means_;
  double step_ms_ = 0;
};

}  // namespace gputop::job
