#include "job/common_steps.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string_view>

namespace gputop::job {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();
constexpr double kLatelyMs = 4000;

}  // namespace

CommonSteps::CommonSteps(const std::vector<Rank>& ranks, bool by_node, Span span)
    : party_(ranks.size()), speaks_(ranks.size()), means_(ranks.size()) {
  std::map<std::string_view, std::size_t> nodes;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    party_[i] = by_node ? nodes.emplace(ranks[i].node, nodes.size()).first->second : i;
  party_count_ = by_node ? nodes.size() : ranks.size();
  choose(ranks);
  if (span == Span::kLately) keep_lately(ranks);
  if (speakers_ >= 2 && end_ > begin_) add(ranks);
}

// The newest steps that all ranks have reported. A rank that is far behind (its node is gone) does not prevent
// comparing the others.
void CommonSteps::choose(const std::vector<Rank>& ranks) {
  std::vector<std::uint64_t> lasts;
  for (const auto& rank : ranks) {
    if (!rank.steps.empty()) lasts.push_back(rank.steps.back().number);
  }
  if (lasts.empty()) return;
  const auto middle = lasts.begin() + static_cast<std::ptrdiff_t>(lasts.size() / 2);
  std::nth_element(lasts.begin(), middle, lasts.end());
  const std::uint64_t usual = *middle;
  begin_ = 0;
  end_ = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto& steps = ranks[i].steps;
    speaks_[i] = !steps.empty() && steps.back().number + kMost >= usual && steps.front().number <= usual;
    if (!speaks_[i]) continue;
    ++speakers_;
    begin_ = std::max(begin_, steps.front().number);
    end_ = std::min(end_, steps.back().number + 1);
  }
  if (end_ > begin_ && end_ - begin_ > kMost) begin_ = end_ - kMost;
}

// All ranks leave a step together, so any of them tells how long it was.
void CommonSteps::keep_lately(const std::vector<Rank>& ranks) {
  const auto one = std::find(speaks_.begin(), speaks_.end(), true);
  if (one == speaks_.end()) return;
  const auto& steps = ranks[static_cast<std::size_t>(one - speaks_.begin())].steps;
  double length = 0;
  std::size_t count = 0;
  for (auto step = steps.rbegin(); step != steps.rend() && step->number >= begin_; ++step) {
    if (step->number >= end_) continue;
    length += step->length();
    if (++count > kFewest && length > kLatelyMs) {
      begin_ = step->number + 1;
      return;
    }
  }
}

void CommonSteps::add(const std::vector<Rank>& ranks) {
  const auto count = static_cast<std::size_t>(end_ - begin_);
  moments_.assign(count, Moment{.first = kNone, .second = kNone});
  std::vector<double> shortest(party_count_ * count, kNone);
  std::vector<std::size_t> told(count);
  double length = 0;
  std::size_t lengths = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (!speaks_[i]) continue;
    Means sums;
    std::size_t seen = 0;
    for (const auto& step : ranks[i].steps) {
      if (step.number < begin_ || step.number >= end_) continue;
      const auto at = static_cast<std::size_t>(step.number - begin_);
      auto& moment = moments_[at];
      auto& best = shortest[party_[i] * count + at];
      best = std::min(best, step.exchange);
      if (step.exchange < moment.first) {
        moment.first = step.exchange;
        moment.last_rank = i;
      }
      moment.waits += step.exchange;
      moment.items += step.items;
      moment.items_known = moment.items_known && step.items > 0;
      if (step.items > moment.most_items) {
        moment.most_items = step.items;
        moment.most_items_rank = i;
      }
      ++told[at];
      sums = {sums.own + step.own, sums.input + step.input, sums.cpu + step.cpu, sums.items + step.items};
      length += step.length();
      ++lengths;
      ++seen;
    }
    if (seen == 0) continue;
    const auto n = static_cast<double>(seen);
    means_[i] = Means{sums.own / n, sums.input / n, sums.cpu / n, sums.items / n};
  }
  for (std::size_t party = 0; party < party_count_; ++party) {
    for (std::size_t at = 0; at < count; ++at) {
      if (party != party_[moments_[at].last_rank])
        moments_[at].second = std::min(moments_[at].second, shortest[party * count + at]);
    }
  }
  for (std::size_t at = 0; at < count; ++at) {
    moments_[at].waits = moments_[at].waits / static_cast<double>(std::max<std::size_t>(1, told[at])) - moments_[at].first;
    moments_[at].items /= static_cast<double>(std::max<std::size_t>(1, told[at]));
  }
  // A lost report leaves a hole; steps that only some ranks reported are ignored.
  std::vector<Moment> whole;
  for (std::size_t at = 0; at < count; ++at) {
    if (told[at] == speakers_ && moments_[at].second < kNone) whole.push_back(moments_[at]);
  }
  moments_ = std::move(whole);
  step_ms_ = lengths > 0 ? length / static_cast<double>(lengths) : 0;
}

std::size_t CommonSteps::others(std::size_t rank) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < party_.size(); ++i) count += speaks_[i] && !same_party(i, rank) ? 1 : 0;
  return count;
}

double CommonSteps::communication_ms() const {
  std::vector<double> shortest;
  for (const auto& moment : moments_) shortest.push_back(moment.first);
  if (shortest.empty()) return 0;
  const auto middle = shortest.begin() + static_cast<std::ptrdiff_t>(shortest.size() / 2);
  std::nth_element(shortest.begin(), middle, shortest.end());
  return *middle;
}

std::optional<std::size_t> CommonSteps::mostly_last() const {
  std::map<std::size_t, std::size_t> parties;
  std::map<std::size_t, std::size_t> ranks;
  for (const auto& moment : moments_) {
    ++parties[party_[moment.last_rank]];
    ++ranks[moment.last_rank];
  }
  const auto more = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto party = std::max_element(parties.begin(), parties.end(), more);
  if (party == parties.end()) return std::nullopt;
  std::optional<std::size_t> found;
  std::size_t most = 0;
  for (const auto& [rank, times] : ranks) {
    if (party_[rank] != party->first || times <= most) continue;
    found = rank;
    most = times;
  }
  return found;
}

double CommonSteps::last_share(std::size_t rank) const {
  const auto times = std::count_if(moments_.begin(), moments_.end(),
                                   [&](const Moment& moment) { return same_party(moment.last_rank, rank); });
  return moments_.empty() ? 0 : static_cast<double>(times) / static_cast<double>(moments_.size());
}

double CommonSteps::held_ms(std::size_t rank) const {
  double held = 0;
  for (const auto& moment : moments_) {
    if (same_party(moment.last_rank, rank)) held += moment.second - moment.first;
  }
  return moments_.empty() ? 0 : held / static_cast<double>(moments_.size());
}

double CommonSteps::held_ms() const {
  double held = 0;
  for (const auto& moment : moments_) held += moment.waits;
  return moments_.empty() ? 0 : held / static_cast<double>(moments_.size());
}

Reading<double> CommonSteps::items_spread() const {
  double spread = 0;
  for (const auto& moment : moments_) {
    if (!moment.items_known || moment.items <= 0) return std::nullopt;
    spread += moment.most_items / moment.items;
  }
  if (moments_.empty()) return std::nullopt;
  return spread / static_cast<double>(moments_.size());
}

bool CommonSteps::largest_comes_last() const {
  const auto times = std::count_if(moments_.begin(), moments_.end(),
                                   [](const Moment& moment) { return moment.last_rank == moment.most_items_rank; });
  return 2 * static_cast<std::size_t>(times) > moments_.size();
}

}  // namespace gputop::job
