// Planning a change: see change_set.hpp.
#include "gputop/knobs/change_set.hpp"

#include <algorithm>
#include <set>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "knobs/argument_edit.hpp"
#include "knobs/current_values.hpp"

namespace gputop::knobs {
namespace {

class Planner {
 public:
  Planner(const KnobTable& table,
          const RunCommand& run,
          std::span<const SourceFile> files,
          const Found& found,
          const Evidence& evidence,
          const ChangeRequest& request)
      : table_(table), run_(run), files_(files), found_(found), evidence_(evidence), request_(request) {
    set_.argv_before = set_.argv_after = run.argv;
  }

  Result<ChangeSet> plan() {
    if (auto good = check_settings(); !good) return good.error();
    if (auto known = check_places(); !known) return known.error();
    for (const auto& setting : settings_) {
      if (auto done = set(setting, true); !done) return done.error();
    }
    if (const auto* batch = asked("batch_size")) {
      if (auto done = follow(*batch); !done) return done.error();
    }
    if (auto done = write(); !done) return done.error();
    return std::move(set_);
  }

 private:
  [[nodiscard]] const Setting* asked(std::string_view knob) const {
    const auto found =
        std::find_if(settings_.begin(), settings_.end(), [&](const Setting& setting) { return setting.knob == knob; });
    return found == settings_.end() ? nullptr : &*found;
  }

  // Whoever asks: a knob of the table, and a value of its type within its limits.
  Status check_settings() {
    for (const auto& setting : request_.settings) {
      const Knob* knob = table_.find(setting.knob);
      if (knob == nullptr) return Error{Error::Kind::kInvalid, "unknown knob \"" + printable(setting.knob) + "\""};
      auto value = check_value(*knob, setting.value);
      if (!value) return value.error();
      settings_.push_back({setting.knob, *std::move(value)});
    }
    return success();
  }

  // A place that was named must be one.
  [[nodiscard]] Status check_places() const {
    for (const auto& place : request_.at) {
      std::set<std::string> fitting;
      for (const auto& candidate : found_.candidates) {
        if (is_named(candidate.place, place)) fitting.insert(to_string(candidate.place));
      }
      if (fitting.size() == 1 || fitting.contains(place)) continue;
      std::string text = fitting.empty()
                             ? "no setting was found at \"" + printable(place) + "\"; found were:"
                             : "\"" + printable(place) + "\" is said in several places (name one as it stands here):";
      for (const auto& setting : settings_) {
        for (const auto* candidate : candidates_of(found_, setting.knob)) text += "\n  " + describe(*candidate);
      }
      return Error{Error::Kind::kNotFound, std::move(text)};
    }
    return success();
  }

  // `asked_for`: by the user. What only goes along may be in several places, when all of them say the same.
  [[nodiscard]] Result<std::vector<const Candidate*>> places_for(const Knob& knob,
                                                                 const Value& value,
                                                                 bool asked_for) const {
    if (!request_.at.empty()) {
      auto named = choose_at(found_, knob, request_.at);
      if (!named || !named->empty()) return named;
    }
    if (auto beside = beside_chosen(knob, value); !asked_for && !beside.empty()) return beside;
    if (request_.everywhere) {
      auto all = choose_all(found_, knob, value, request_.also_shared, request_.all_stages);
      if (!all.empty()) return all;
    }
    const auto best = choose(found_, knob, value, request_.also_shared);
    if (!best && !asked_for && all_say_the_same(knob.name)) {
      if (auto all = choose_all(found_, knob, value, request_.also_shared); !all.empty()) return all;
    }
    if (!best) return best.error();
    return std::vector<const Candidate*>{*best};
  }

  // Where the user chose a file, what goes along is changed in the same one.
  [[nodiscard]] std::vector<const Candidate*> beside_chosen(const Knob& knob, const Value& value) const {
    std::vector<const Candidate*> beside;
    if (request_.at.empty()) return beside;
    for (const auto* candidate : candidates_of(found_, knob.name)) {
      const bool same = std::any_of(set_.changes.begin(), set_.changes.end(), [&](const ValueChange& change) {
        return change.place.kind == Place::Kind::kFile && change.place.file == candidate->place.file;
      });
      if (same && candidate->fixed.empty() && candidate->shared.empty() &&
          said(candidate->match, candidate->found, value, 1)) {
        beside.push_back(candidate);
      }
    }
    return beside.size() == 1 ? beside : std::vector<const Candidate*>{};
  }

  [[nodiscard]] bool all_say_the_same(std::string_view knob) const {
    const Value* first = nullptr;
    for (const auto* candidate : candidates_of(found_, knob)) {
      if (candidate->place.how == Place::How::kAbsent) continue;
      if (!candidate->fixed.empty() || (first != nullptr && !same_value(*first, candidate->value))) return false;
      first = &candidate->value;
    }
    return first != nullptr;
  }

  Status set(const Setting& setting, bool must) {
    const Knob* knob = table_.find(setting.knob);
    if (knob == nullptr) return success();  // a table without it has no place for what would go along
    const auto places = places_for(*knob, setting.value, must);
    if (!places) {
      if (must) return places.error();
      set_.notes.push_back(setting.knob + " should become " + to_text(setting.value) +
                           " but was left alone: " + places.error().message);
      return success();
    }
    for (const auto* place : *places) {
      if (auto done = set_at(*place, setting.value); !done) return done;
    }
    if (setting.knob == "precision") switch_off_others(*places, setting.value);
    if (must) mention_others(setting.knob, *places);
    return success();
  }

  // Whoever reads the diff should know what it leaves alone.
  void mention_others(const std::string& knob, const std::vector<const Candidate*>& chosen) {
    for (const auto* other : candidates_of(found_, knob)) {
      const bool said = other->place.how != Place::How::kAbsent && other->place.kind != Place::Kind::kLens;
      if (!said || std::find(chosen.begin(), chosen.end(), other) != chosen.end()) continue;
      set_.notes.push_back(knob + " is also at " + printable(to_string(other->place)) + " (" +
                           printable(to_text(other->found)) + "), which is left alone");
    }
  }

  Status set_at(const Candidate& candidate, const Value& value) {
    if (candidate.place.kind == Place::Kind::kLens) {
      set_.lens.push_back({candidate.knob, value});
      const auto* seen = evidence_.find(candidate.knob);  // what it would have to be again
      set_.changes.push_back({candidate.knob, candidate.place, seen != nullptr ? seen->value : candidate.found, value});
      return success();
    }
    if (same_value(candidate.value, value) && candidate.place.how != Place::How::kAbsent) {
      set_.notes.push_back(candidate.knob + " is " + to_text(value) + " already (" +
                           printable(to_string(candidate.place)) + ")");
      return success();
    }
    const auto saying = said(candidate.match, candidate.found, value, evidence_.ranks);
    if (!saying) return saying.error();
    set_.changes.push_back({candidate.knob, candidate.place, candidate.found, *saying});
    return success();
  }

  // fp16: true and bf16: true do not go together: the switches beside the one that was turned on go off.
  void switch_off_others(const std::vector<const Candidate*>& on, const Value& value) {
    for (const auto* other : candidates_of(found_, "precision")) {
      const bool is_switch = std::holds_alternative<bool>(other->found) && other->found == Value{true};
      const bool beside = std::any_of(on.begin(), on.end(), [&](const Candidate* chosen) {
        return chosen != other && chosen->place.kind == other->place.kind && chosen->place.file == other->place.file;
      });
      if (!is_switch || !beside || !other->fixed.empty() || same_value(other->value, value)) continue;
      set_.changes.push_back({other->knob, other->place, other->found, Value{false}});
    }
  }

  Status follow(const Setting& batch) {
    const auto now = batch_settings(found_, evidence_);
    if (!now) {
      set_.notes.emplace_back("the batch size so far is not known: accumulation and learning rate are untouched");
      return success();
    }
    const auto accumulators = candidates_of(found_, "accumulation");
    if (!now->can_accumulate && !accumulators.empty() && !accumulators.front()->fixed.empty()) {
      const Candidate& first = *accumulators.front();
      set_.notes.push_back("accumulation is at " + printable(to_string(first.place)) + ", but cannot be changed (" +
                           first.fixed + ")");
    }
    std::optional<std::int64_t> given;
    if (now->can_accumulate) given = request_.accumulation;
    if (const auto* accumulation = asked("accumulation")) given = std::get<std::int64_t>(accumulation->value);
    BatchChange change = follow_batch(*now, std::get<std::int64_t>(batch.value), request_.policy, given);
    if (given && *given != now->accumulation) change.accumulation = given;  // left alone below, where it was asked for
    set_.notes.insert(set_.notes.end(), change.notes.begin(), change.notes.end());
    return take_along(change);
  }

  Status take_along(const BatchChange& change) {
    std::vector<Setting> settings;
    if (change.accumulation) settings.push_back({"accumulation", *change.accumulation});
    if (change.global_batch) settings.push_back({"global_batch_size", *change.global_batch});
    if (change.learning_rate) settings.push_back({"learning_rate", *change.learning_rate});
    if (change.warmup_steps) settings.push_back({"warmup_steps", *change.warmup_steps});
    if (change.max_steps) settings.push_back({"max_steps", *change.max_steps});
    for (const auto& setting : settings) {
      if (asked(setting.knob) != nullptr) continue;
      const bool rate = setting.knob == "learning_rate";
      if (!rate || !is_one_of_several(setting.knob)) {
        if (auto done = set(setting, false); !done) return done;
      }
      if (!rate) continue;
      if (auto done = scale_other_rates(change.learning_rate_factor); !done) return done;
    }
    return success();
  }

  // There is no "lr", only lr_encoder, lr_head and the like.
  [[nodiscard]] bool is_one_of_several(std::string_view knob) const {
    const auto all = candidates_of(found_, knob);
    return !all.empty() && all.front()->match.alias != nullptr && all.front()->match.alias->among_words;
  }

  // Each with a value of its own, all by the same factor; of each name the likeliest place.
  Status scale_other_rates(double factor) {
    std::set<std::string> names;
    for (const auto* rate : candidates_of(found_, "learning_rate")) {
      if (rate->match.alias == nullptr || !rate->match.alias->among_words) continue;
      if (!names.insert(simplified(slice(rate->place.key, rate->place.key.rfind('.') + 1))).second) continue;
      if (!rate->fixed.empty() || (!rate->shared.empty() && !request_.also_shared)) {
        set_.notes.push_back(printable(to_string(rate->place)) +
                             " is left alone: " + (rate->fixed.empty() ? rate->shared : rate->fixed));
        continue;
      }
      const Value scaled = scaled_rate(*as_number(rate->value), factor);
      set_.notes.push_back(printable(rate->place.key) + " goes along: " + to_text(rate->value) + " → " +
                           to_text(scaled));
      if (auto done = set_at(*rate, scaled); !done) return done;
    }
    return success();
  }

  Status write() {
    std::vector<ArgumentEdit> arguments;
    for (const auto& change : set_.changes) {
      switch (change.place.kind) {
        case Place::Kind::kArgument: arguments.push_back({change.place, change.to}); break;
        case Place::Kind::kFile:
          if (auto done = write_file(change); !done) return done;
          break;
        case Place::Kind::kEnvironment: {
          const auto before = run_.environment.find(change.place.key);
          const bool is_set = before != run_.environment.end();
          auto written = write_like(is_set ? before->second : "", false, change.to, Dialect::kWords);
          if (!written) return written.error();
          set_.environment.push_back(
              {change.place.key, is_set ? std::optional{before->second} : std::nullopt, *std::move(written)});
          break;
        }
        case Place::Kind::kLens: break;
      }
    }
    auto argv = edit_arguments(run_.argv, std::move(arguments));
    if (!argv) return argv.error();
    set_.argv_after = *std::move(argv);
    return success();
  }

  Status write_file(const ValueChange& change) {
    auto known = std::find_if(set_.files.begin(), set_.files.end(),
                              [&](const FileChange& file) { return file.path == change.place.file; });
    if (known == set_.files.end()) {
      const auto source = std::find_if(files_.begin(), files_.end(),
                                       [&](const SourceFile& file) { return file.path == change.place.file; });
      set_.files.push_back({change.place.file, *source->text, *source->text});
      known = set_.files.end() - 1;
    }
    // Read again each time: the edits before this one have moved the bytes, not the order of the values.
    const auto document = read_document(*format_of(known->path), known->after);
    if (!document) return document.error();
    auto edited = change_value(known->after, *document, change.place.entry, change.to, request_.also_shared);
    if (!edited) return Error{edited.error().kind, printable(known->path) + ": " + edited.error().message};
    known->after = *std::move(edited);
    return success();
  }

  const KnobTable& table_;
  const RunCommand& run_;
  std::span<const SourceFile> files_;
  const Found& found_;
  const Evidence& evidence_;
  const ChangeRequest& request_;
  std::vector<Setting> settings_;  // of the request, checked
  ChangeSet set_;
};

}  // namespace

Result<ChangeSet> plan_change(const KnobTable& table,
                              const RunCommand& run,
                              std::span<const SourceFile> files,
                              const Found& found,
                              const Evidence& evidence,
                              const ChangeRequest& request) {
  return Planner{table, run, files, found, evidence, request}.plan();
}

ChangeSet inverse(const ChangeSet& change) {
  ChangeSet back = change;
  std::swap(back.argv_before, back.argv_after);
  for (auto& file : back.files) std::swap(file.before, file.after);
  for (auto& variable : back.environment) std::swap(variable.before, variable.after);
  for (auto& value : back.changes) std::swap(value.from, value.to);
  back.lens.clear();
  back.notes.clear();
  return back;
}

}  // namespace gputop::knobs
