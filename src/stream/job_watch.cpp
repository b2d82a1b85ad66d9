#include "gputop/stream/job_watch.hpp"

#include <algorithm>
#include <map>

namespace gputop {
namespace {

constexpr std::size_t kAtOnce = 400;  // files in a look, about
constexpr std::size_t kMostTurns = 4;

}  // namespace

JobWatch::Member& JobWatch::member(const std::string& name, double now) {
  for (auto& known : members_) {
    if (known->name == name) return *known;
  }
  auto& added = members_.emplace_back(std::make_unique<Member>());
  added->name = name;
  added->grown = now;
  return *added;
}

void JobWatch::follow(const std::vector<std::string>& paths, double now) {
  std::map<std::string_view, bool> known;
  for (const auto& one : members_) known[one->name] = true;
  for (const auto& path : paths) {
    if (known.contains(path)) continue;
    auto& added = members_.emplace_back(std::make_unique<Member>());
    added->name = path;
    added->grown = now;
    added->file = std::make_unique<RecordingFollower>(path);
  }
}

// A recording is unpacked from the beginning of its frame to read what was appended. With very many of them, each is
// looked at in every second or third look instead, so that a look stays short: ranks report every two seconds anyway.
bool JobWatch::look(double now) {
  bool grown = false;
  const auto turns = std::clamp<std::size_t>(members_.size() / kAtOnce, 1, kMostTurns);
  ++looks_;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    auto& one = members_[i];
    if (!one->file || (one->looked && (i + looks_) % turns != 0)) continue;
    one->looked = true;
    const auto looked = one->file->look(room_, [&](std::string_view line) {
      if (const auto* event = one->lines.read(line)) one->track.add(*event);
    });
    one->problem = looked ? "" : looked.error().message;
    if (!looked || !*looked) continue;
    one->grown = now;
    grown = true;
  }
  return grown;
}

void JobWatch::hear(const std::string& name, std::string_view line, double now) {
  auto& one = member(name, now);
  one.grown = now;
  if (const auto* event = one.lines.read(line)) one.track.add(*event);
}

void JobWatch::take(std::size_t member, const Event& event, double now) {
  members_[member]->grown = now;
  members_[member]->track.add(event);
}

bool JobWatch::all_ended() const {
  return std::all_of(members_.begin(), members_.end(), [](const auto& one) { return one->track.end().has_value(); });
}

job::Whole JobWatch::whole(double now, bool live) const {
  std::vector<job::RankLine> lines;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const auto& one = *members_[i];
    if (!one.track.run() && !one.track.job()) continue;
    auto own = one.track.lines(i, live ? Reading<double>{now - one.grown} : std::nullopt);
    std::move(own.begin(), own.end(), std::back_inserter(lines));
  }
  // A restarted rank has several recordings: the newest is the current one.
  std::map<unsigned, std::size_t> newest;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].number) continue;
    const auto [known, added] = newest.emplace(*lines[i].number, i);
    const auto begun = [&](std::size_t line) { return members_[lines[line].recording]->track.stream().wall; };
    if (!added && begun(i) >= begun(known->second)) known->second = i;
  }
  std::vector<job::RankLine> kept;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].number || newest[*lines[i].number] == i) kept.push_back(std::move(lines[i]));
  }
  return job::merge(std::move(kept));
}

}  // namespace gputop
