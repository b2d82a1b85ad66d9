#include "gputop/tuning/change_question.hpp"

#include <algorithm>
#include <chrono>
#include <sstream>

#include "gputop/core/format.hpp"

namespace gputop {
namespace {

void add_lines(std::vector<std::string>& lines, const std::string& text) {
  std::istringstream stream{text};
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
}

// "3 h 12 min", "12 min", "45 s"
std::string time_words(Duration time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
  if (seconds < 60) return std::to_string(seconds) + " s";
  const auto minutes = seconds / 60;
  return minutes < 60 ? std::to_string(minutes) + " min"
                      : std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

std::string title_of(const PlanChange& wanted) {
  switch (wanted.kind) {
    case PlanChange::Kind::kApply: return wanted.only_show ? "What it would change" : "Make this change?";
    case PlanChange::Kind::kUndo: return "Take this change back?";
    case PlanChange::Kind::kRelaunch: break;
  }
  return "Restart the run?";
}

bool is_undo(const PlanChange& wanted) {
  return wanted.kind == PlanChange::Kind::kUndo;
}

void add_places(ChangeQuestion& question, const std::vector<SettingPlace>& places, const knobs::ChangeSet& change) {
  for (const auto& place : places) {
    question.places.push_back(place.name);
    const bool chosen = std::any_of(change.changes.begin(), change.changes.end(),
                                    [&](const auto& item) { return to_string(item.place) == place.name; });
    question.lines.push_back(std::to_string(question.places.size()) + (chosen ? " ▸ " : " ") + place.text);
  }
}

// The keys that ask for the same change in another way.
std::string other_ways(const ChangeQuestion& question) {
  std::string keys;
  if (question.places.size() > 1) keys += "1–" + std::to_string(question.places.size()) + ": change it there · ";
  if (!question.plan.at.empty()) {
    keys += question.plan.remember ? "m: do not remember the place · " : "m: remember the place in .gputop.yaml · ";
  }
  if (question.can_scale)
    keys += question.scaled ? "s: keep the effective batch" : "s: scale the learning rate with the batch";
  return keys;
}

// What a yes does, what it costs, and the keys.
void add_consequence(std::vector<std::string>& lines, const QuestionInput& input) {
  if (is_of_gpus(input.change)) {
    lines.emplace_back("nvidia-smi sets it at once, for everyone who uses the GPU: nothing restarts.");
    lines.emplace_back("y: now · n: change nothing");
    return;
  }
  if (input.live == LiveWay::kAtOnce) {
    lines.emplace_back("The lens makes it in the running process: nothing is lost, and nothing restarts.");
    lines.emplace_back("y: now · l: write it only, for the next launch · n: change nothing");
    return;
  }
  auto price = input.cost;
  for (const auto& item : input.change.changes) {
    if (item.knob == kResume && !is_undo(input.wanted))
      price.resumes = in_words(item.place);  // this change makes it resume
  }
  lines.push_back(cost_in_words(price));
  const bool epoch = input.live == LiveWay::kNextEpoch;
  if (epoch) lines.emplace_back("Or the lens makes it in the running process when its next epoch begins.");
  if (input.wanted.kind == PlanChange::Kind::kRelaunch) {
    lines.emplace_back("y: now · n: let it go on");
    return;
  }
  lines.push_back(std::string{"y: now · "} + (epoch ? "e: from the next epoch on, without a restart · " : "") +
                  "l: write it only, for the next launch · n: change nothing");
}

}  // namespace

bool is_of_gpus(const knobs::ChangeSet& change) {
  return !change.changes.empty() && std::all_of(change.changes.begin(), change.changes.end(), [](const auto& item) {
    return item.place.kind == knobs::Place::Kind::kGpu;
  });
}

bool scales(const PlanChange& wanted) {
  const bool advised = std::any_of(wanted.changes.begin(), wanted.changes.end(), [](const Change& change) {
    return change.knob == "learning_rate" && change.to.starts_with("×");
  });
  return wanted.scale.value_or(advised);
}

ChangeQuestion place_question(const PlanChange& wanted,
                              const std::string& why,
                              const std::vector<SettingPlace>& places) {
  ChangeQuestion question{.title = "Where?", .only_show = wanted.only_show, .plan = wanted, .must_choose = true};
  // The rest names flags of the command line.
  question.lines.push_back(why.substr(0, std::min(why.find('\n'), why.find(" (name one"))));
  question.lines.emplace_back();
  add_places(question, places, {});
  question.lines.emplace_back();
  question.lines.push_back(other_ways(question) + "n: change nothing");
  return question;
}

ChangeQuestion refusal(const std::string& why) {
  ChangeQuestion question{.title = "This change cannot be made", .only_show = true};
  add_lines(question.lines, why);
  return question;
}

std::string cost_in_words(const RelaunchCost& cost) {
  std::string text = "gputop stops the run (SIGINT, then SIGTERM) and restarts it. ";
  if (!cost.since_saved) {
    text += "No checkpoint was seen: unless the run saves its state, the work of " + time_words(cost.age) + " is lost.";
    return text;
  }
  text += time_words(*cost.since_saved) + " since the last checkpoint seen";
  if (!cost.checkpoint.empty()) text += " (" + cost.checkpoint + ")";
  if (!cost.resumes.empty()) return text + ": that work is lost; the run resumes from there (" + cost.resumes + ").";
  return text + ". Nothing makes it resume from there: unless it does so on its own, the work of " +
         time_words(cost.age) + " is lost.";
}

ChangeQuestion change_question(const QuestionInput& input) {
  const auto& [wanted, change, next_argv, live, cost, places, outside] = input;
  ChangeQuestion question{.title = title_of(wanted), .only_show = wanted.only_show, .plan = wanted};
  auto& lines = question.lines;
  for (const auto& item : change.changes) {
    const bool in_file = item.place.kind == knobs::Place::Kind::kFile;
    lines.push_back(item.knob + " " + knobs::to_text(item.from) + " → " + knobs::to_text(item.to) + "   " +
                    (in_file ? "in " : "") + in_words(item.place));
  }
  if (wanted.kind == PlanChange::Kind::kRelaunch) lines.push_back(printable(knobs::command_text(next_argv)));
  question.live = live == LiveWay::kAtOnce;
  question.scaled = scales(wanted);
  const auto changes_knob = [](const auto& changes, std::string_view knob) {
    return std::any_of(changes.begin(), changes.end(), [&](const auto& item) { return item.knob == knob; });
  };
  question.can_scale = wanted.kind == PlanChange::Kind::kApply && changes_knob(change.changes, "batch_size") &&
                       !changes_knob(wanted.changes, "learning_rate");  // which says itself what happens to it
  if (!outside.empty()) lines.push_back("Mind: " + outside + ": a yes writes there as well.");
  if (!wanted.only_show) add_consequence(lines, input);  // first, because on a small screen the rest is below the fold
  lines.emplace_back();
  for (const auto& note : change.notes) lines.push_back("note: " + note);
  if (wanted.remember) lines.emplace_back("note: .gputop.yaml will remember the place for this project");
  if (places.size() > 1) lines.emplace_back("places where it can be changed:");
  add_places(question, places, change);
  if (const auto ways = other_ways(question); !ways.empty() && !wanted.only_show) lines.push_back(ways);
  lines.emplace_back();
  add_lines(lines, knobs::diff_text(change));
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return question;
}

}  // namespace gputop
