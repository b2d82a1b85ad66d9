#include "report/findings/change_watch.hpp"

#include <algorithm>
#include <map>

#include "gputop/app/run_now.hpp"
#include "gputop/core/format.hpp"

namespace gputop::report {
namespace {

constexpr std::size_t kMostChanges = 200;
constexpr std::string_view kStartedAgain = "started again: ";

std::string yes_or_no(bool value) {
  return value ? "on" : "off";
}

std::string precision_words(const LensEnvironment& environment) {
  for (const auto& autocast : environment.autocast) {
    if (autocast.enabled) return "autocast " + autocast.type;
  }
  return environment.tf32_matmul == true ? "tf32" : "fp32";
}

// The words of a command line, by what they set: "--batch-size=8" and "--batch-size 8" are the same, "--set
// batch_size=8" sets batch_size.
std::map<std::string, std::string> by_name(const std::vector<std::string>& argv) {
  std::map<std::string, std::string> words;
  for (std::size_t i = 0; i < argv.size(); ++i) {
    const auto& word = argv[i];
    const auto equals = word.find('=');
    if (equals != std::string::npos && equals > 0) {
      words[word.substr(0, equals)] = word.substr(equals + 1);
    } else if (word.starts_with("-") && i + 1 < argv.size() && !argv[i + 1].starts_with("-") &&
               argv[i + 1].find('=') == std::string::npos) {
      words[word] = argv[++i];
    } else {
      words[word] = "";
    }
  }
  return words;
}

// Whether a change of several settings ("batch_size 8 → 32, learning_rate 0.001 → 0.002") has this one among them.
bool is_part_of(std::string_view one, std::string_view all) {
  constexpr std::string_view kBetween = ", ";
  while (true) {
    const auto end = all.find(kBetween);
    if (all.substr(0, end) == one) return true;
    if (end == std::string_view::npos) return false;
    all.remove_prefix(end + kBetween.size());
  }
}

std::string with_value(const std::string& name, const std::string& value) {
  return value.empty() ? name : name + " " + value;
}

}  // namespace

std::string argument_changes(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  const auto from = by_name(before);
  const auto to = by_name(after);
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + printable(part); };
  for (const auto& [name, value] : from) {
    const auto found = to.find(name);
    if (found == to.end()) {
      add(with_value(name, value) + " removed");
    } else if (found->second != value) {
      add(name + " " + value + " → " + found->second);
    }
  }
  for (const auto& [name, value] : to) {
    if (!from.contains(name)) add(with_value(name, value) + " added");
  }
  return text;
}

void ChangeWatch::heard(const Model& model, const Event& event) {
  if (const auto* run = std::get_if<RunStarted>(&event.payload)) return started(event.at, *run);
  if (const auto* made = std::get_if<ChangeReported>(&event.payload)) return reported(event.at, *made);
  if (const auto* reported = std::get_if<LensReported>(&event.payload)) {
    if (const auto* applied = std::get_if<LensApplied>(&reported->message)) {
      for (const auto& change : applied->applied)
        note(event.at, change.name + " " + change.before + " → " + change.after);
    }
    const auto* ack = std::get_if<LensAck>(&reported->message);
    if (ack && ack->ok && ack->op != "probe" && ack->op != "detach") note(event.at, ack->op + ": " + ack->text);
    const bool tick = std::holds_alternative<LensTick>(reported->message);
    if (!tick) loaders_changed_ = true;
    if (tick && std::exchange(loaders_changed_, false))
      look(model, event.at);  // only now it is known which loader trains
  } else if (std::holds_alternative<OutputWritten>(event.payload) && model.run) {
    if (const auto batch = model.run->log.progress().batch_size; batch != printed_batch_) {
      printed_batch_ = batch;
      look(model, event.at);
    }
  }
}

void ChangeWatch::started(Instant at, const RunStarted& run) {
  if (!argv_.empty()) {
    // An engine that took over announces the run again.
    const auto words = argument_changes(argv_, run.argv);
    if (!words.empty()) note(at, std::string{kStartedAgain} + words);
  }
  argv_ = run.argv;
}

void ChangeWatch::reported(Instant at, const ChangeReported& report) {
  using Stage = ChangeReported::Stage;
  if (report.changes.empty() || report.stage == Stage::kWaiting || report.stage == Stage::kOffered ||
      report.stage == Stage::kDeclined) {
    return;
  }
  std::vector<Change> changes;
  for (const auto& change : report.changes) changes.push_back({change.knob, change.from, change.to});
  const auto words = printable(changes_in_words(changes));
  auto entry = std::find_if(changes_.rbegin(), changes_.rend(),
                            [&](const auto& known) { return known.what == words && !known.outcome.empty(); });
  if (report.stage == Stage::kWritten || entry == changes_.rend()) {
    if (changes_.size() == kMostChanges) return;
    changes_.push_back({at, words, false, "written for the next launch", std::nullopt});
    entry = changes_.rbegin();
  }
  if (report.gain) entry->measured = Estimated{*report.gain, report.uncertainty};
  switch (report.stage) {
    case Stage::kLive:
    case Stage::kRelaunched: {
      const Instant written = entry->at;
      *entry = {at, words, true, "made", std::nullopt};
      // The new command line carried out this change, and the output showed it; neither is a change of its own.
      std::erase_if(changes_, [&](const auto& known) {
        const bool same = known.what.starts_with(kStartedAgain) || is_part_of(known.what, words);
        return known.at >= written && known.at <= at && known.outcome.empty() && same;
      });
      std::stable_sort(changes_.begin(), changes_.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
      break;
    }
    case Stage::kKept: entry->outcome = "kept"; break;
    case Stage::kSame: entry->outcome = "no difference"; break;
    case Stage::kWorse: entry->outcome = "worse"; break;
    case Stage::kFailed: entry->outcome = "failed"; break;
    case Stage::kUndone: entry->outcome += ", taken back"; break;
    default: break;
  }
}

void ChangeWatch::look(const Model& model, Instant at) {
  Settings now;
  if (const auto batch = current_batch(model)) now.emplace_back("batch_size", std::to_string(*batch));
  const auto* lens = model.lens.main();
  if (const auto* loader = lens ? lens->training_loader() : nullptr) {
    now.emplace_back("workers", std::to_string(loader->value.workers));
    if (loader->value.prefetch) now.emplace_back("prefetch", std::to_string(*loader->value.prefetch));
    now.emplace_back("pin_memory", yes_or_no(loader->value.pin_memory));
    now.emplace_back("persistent_workers", yes_or_no(loader->value.persistent));
  }
  if (lens && lens->environment && !lens->ticks.empty() && lens->ticks.back().value.steps > 0) {
    now.emplace_back("precision", precision_words(lens->environment->value));
  }
  for (auto& [name, value] : now) {
    const auto known =
        std::find_if(seen_.begin(), seen_.end(), [&key = name](const auto& entry) { return entry.first == key; });
    if (known == seen_.end()) {
      seen_.emplace_back(name, value);
    } else if (known->second != value) {
      note(at, name + " " + known->second + " → " + value);
      known->second = value;
    }
  }
}

void ChangeWatch::note(Instant at, std::string what) {
  // One change may be reported twice: when it was requested, and when it is seen.
  constexpr Duration kSame = std::chrono::minutes{1};
  const bool known = std::any_of(changes_.begin(), changes_.end(), [&](const SeenChange& change) {
    if (!change.outcome.empty() && change.in_force) return is_part_of(what, change.what);
    return change.what == what && at - change.at < kSame;
  });
  if (!known && changes_.size() < kMostChanges) changes_.push_back({at, printable(what), true, "", std::nullopt});
}

}  // namespace gputop::report
