// Planning a change: see change_set.hpp.
#include "gputop/knobs/change_set.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "knobs/current_values.hpp"
#include "knobs/write_change.hpp"

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
      if (auto done = set(setting); !done) return done.error();
    }
    if (auto done = follow(); !done) return done.error();
    tell_whose();
    if (auto done = write_change(run_, files_, request_.also_shared, set_); !done) return done.error();
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

  // A place that was named must be one, of at least one of the knobs.
  [[nodiscard]] Status check_places() const {
    for (const auto& place : request_.at) {
      bool fits = false;
      for (const auto& setting : settings_) {
        const auto named = choose_at(found_, *table_.find(setting.knob), {place});
        if (!named) return named.error();
        fits = fits || !named->empty();
      }
      if (fits) continue;
      std::string text = "no setting was found at \"" + printable(place) + "\"; found were:";
      for (const auto& setting : settings_) {
        for (const auto* candidate : candidates_of(found_, setting.knob)) text += "\n  " + describe(*candidate);
      }
      return Error{Error::Kind::kNotFound, std::move(text)};
    }
    return success();
  }

  [[nodiscard]] Result<std::vector<const Candidate*>> places_for(const Knob& knob, const Value& value) const {
    if (!request_.at.empty()) {
      auto named = choose_at(found_, knob, request_.at);
      if (!named || !named->empty()) return named;
    }
    if (request_.everywhere) {
      auto all = choose_all(found_, knob, value, request_.also_shared, request_.all_stages);
      if (!all.empty()) return all;
    }
    const auto best = choose(found_, knob, value, request_.also_shared, request_.lens);
    if (!best) return best.error();
    return std::vector<const Candidate*>{*best};
  }

  Status set(const Setting& setting) {
    const auto places = places_for(*table_.find(setting.knob), setting.value);
    if (!places && setting.knob == "precision" && setting.value == Value{std::string{"bf16"}}) {
      // Most frameworks have one word for bf16, and it means AMP.
      const Setting amp{setting.knob, std::string{"amp-bf16"}};
      if (places_for(*table_.find(setting.knob), amp.value)) return set(amp);
    }
    if (!places) return places.error();
    for (const auto* place : *places) {
      if (auto done = set_at(*place, setting.value); !done) return done;
    }
    if (setting.knob == "precision") {
      switch_others(*places, setting.value);
      if (auto done = set_launcher(*places, setting); !done) return done;
    }
    mention_others(setting.knob, *places);
    chosen_[setting.knob] = *places;
    return success();
  }

  // Whoever reads the diff should know what it leaves alone.
  void mention_others(const std::string& knob, const std::vector<const Candidate*>& chosen) {
    for (const auto* other : candidates_of(found_, knob)) {
      const bool said = other->place.how != Place::How::kAbsent && other->place.kind != Place::Kind::kLens &&
                        other->fixed.empty();
      const bool changed = std::any_of(set_.changes.begin(), set_.changes.end(),
                                       [&](const ValueChange& change) { return change.place == other->place; });
      if (!said || changed || std::find(chosen.begin(), chosen.end(), other) != chosen.end()) continue;
      set_.notes.push_back(knob + " is also at " + printable(in_words(other->place)) + " (" +
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
                           printable(in_words(candidate.place)) + ")");
      return success();
    }
    const auto saying = said(candidate.match, candidate.found, value, found_.reading);
    if (!saying) return saying.error();
    set_.changes.push_back({candidate.knob, candidate.place, candidate.found, *saying});
    return success();
  }

  // fp16: true and bf16: true do not go together: the switches beside the one that was turned on go off. What amp_dtype
  // details goes on.
  void switch_others(const std::vector<const Candidate*>& on, const Value& value) {
    for (const auto* other : candidates_of(found_, "precision")) {
      if (is_of_weights(other->match)) {
        keep_weights_whole(on, *other, value);
        continue;
      }
      const auto* number = std::get_if<std::int64_t>(&other->found);  // --use-fp16 1
      const bool whole = number != nullptr && (*number == 0 || *number == 1) && stands_alone(other->match);
      const Value said_now = whole ? Value{*number == 1} : other->found;
      const auto* flag = std::get_if<bool>(&said_now);
      const bool automatic = other->found == Value{std::string{"auto"}} && stands_alone(other->match);
      const auto chosen = std::find_if(on.begin(), on.end(), [&](const Candidate* each) {
        return each != other && each->place.kind == other->place.kind && each->place.file == other->place.file;
      });
      if ((flag == nullptr && !automatic) || chosen == on.end() || !other->fixed.empty()) continue;
      const bool is_on = automatic || *flag;
      const bool amp = simplified(other->place.key).find("amp") != std::string::npos;
      const bool wanted = is_detail((*chosen)->match) && amp;
      const bool absent = other->place.how == Place::How::kAbsent;
      if (is_on == wanted || (!wanted && (absent || same_value(other->value, value)))) continue;
      set_.changes.push_back({other->knob, other->place, other->found, whole ? Value{std::int64_t{wanted ? 1 : 0}} : Value{wanted}});
    }
  }

  // accelerate launch --mixed_precision fp16 holds wherever the script does not say otherwise: it goes along.
  Status set_launcher(const std::vector<const Candidate*>& chosen, const Setting& setting) {
    const bool alone = std::any_of(chosen.begin(), chosen.end(), [](const Candidate* each) { return each->of_launcher; });
    if (alone || !request_.at.empty()) return success();
    for (const auto* other : candidates_of(found_, setting.knob)) {
      if (!other->of_launcher || !other->fixed.empty() || same_value(other->value, setting.value)) continue;
      if (!said(other->match, other->found, setting.value, found_.reading)) continue;
      if (auto done = set_at(*other, setting.value); !done) return done;
    }
    return success();
  }

  // fp32 and fp16's loss scaling want weights in fp32: torch_dtype beside the switch says so, too.
  void keep_weights_whole(const std::vector<const Candidate*>& on, const Candidate& weights, const Value& value) {
    const bool chosen = std::find(on.begin(), on.end(), &weights) != on.end();
    const bool beside = std::any_of(on.begin(), on.end(), [&](const Candidate* each) {
      return each->place.kind == weights.place.kind && each->place.file == weights.place.file;
    });
    const bool whole = value == Value{std::string{"fp32"}} || value == Value{std::string{"amp-fp16"}};
    if (chosen || !beside || !whole || !weights.fixed.empty() || weights.place.how == Place::How::kAbsent) return;
    const Value fp32{std::string{"fp32"}};
    if (same_value(weights.value, fp32)) return;
    const auto saying = said(weights.match, weights.found, fp32, found_.reading);
    if (saying) set_.changes.push_back({weights.knob, weights.place, weights.found, *saying});
  }

  // What the batch, the accumulation or the global batch takes along, at each place that is changed.
  Status follow() {
    BatchWish wish;
    const std::vector<const Candidate*>* places = nullptr;
    const auto take = [&](std::string_view knob, std::optional<std::int64_t>& into) {
      const auto* setting = asked(knob);
      if (setting == nullptr) return;
      into = std::get<std::int64_t>(setting->value);
      if (places == nullptr) places = &chosen_.find(knob)->second;
    };
    take("batch_size", wish.batch);
    take("accumulation", wish.accumulation);
    take("global_batch_size", wish.global_batch);
    if (places == nullptr) return success();
    for (const auto* place : *places) {
      if (auto done = follow_at(*place, wish); !done) return done;
    }
    return success();
  }

  Status follow_at(const Candidate& place, BatchWish wish) {
    const bool chosen = !request_.at.empty() || request_.everywhere;
    const auto now = batch_settings(found_, evidence_, place, chosen);
    if (!now) {
      note("the batch size so far is not known: accumulation and learning rate are untouched");
      return success();
    }
    const auto accumulators = places_beside(found_, "accumulation", place, chosen);
    if (wish.batch && !now->can_accumulate && !accumulators.empty()) {
      note("accumulation is at " + printable(in_words(accumulators.front()->place)) + ", but cannot be changed (" +
           accumulators.front()->fixed + ")");
    }
    const bool given = now->can_accumulate && request_.accumulation && !wish.accumulation;
    if (given) wish.accumulation = request_.accumulation;
    const auto* rate = asked("learning_rate");
    wish.sets_learning_rate = rate != nullptr;
    if (rate != nullptr) wish.learning_rate = as_number(rate->value);
    auto change = follow_batch(*now, wish, request_.policy);
    if (!change) return Error{change.error().kind, printable(in_words(place.place)) + ": " + change.error().message};
    if (given && *wish.accumulation != now->accumulation) change->accumulation = wish.accumulation;
    for (const auto& text : change->notes) note(text);
    return take_along(*change, place, chosen);
  }

  // Once is enough, however many places it holds for.
  void note(std::string text) {
    if (std::find(set_.notes.begin(), set_.notes.end(), text) == set_.notes.end()) set_.notes.push_back(std::move(text));
  }

  Status take_along(const BatchChange& change, const Candidate& place, bool chosen) {
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
        if (auto done = bring(setting, place, chosen); !done) return done;
      }
      if (!rate) continue;
      if (auto done = scale_other_rates(change.learning_rate_factor, place, chosen); !done) return done;
    }
    return success();
  }

  // Sets what goes along where it stands for the place that was changed; says so where it cannot.
  Status bring(const Setting& setting, const Candidate& place, bool chosen) {
    const auto places = places_beside(found_, setting.knob, place, chosen);
    const auto left = [&](const std::string& why) {
      note(setting.knob + " should become " + to_text(setting.value) + " but was left alone: " + why);
    };
    if (places.empty()) left(in_force(found_, setting.knob) == nullptr ? "it was not found" : "it is set in several places");
    for (const auto* each : places) {
      const std::string where = printable(in_words(each->place));
      if (!each->fixed.empty() || (!each->shared.empty() && !request_.also_shared)) {
        left(where + ": " + (each->fixed.empty() ? each->shared : each->fixed));
        continue;
      }
      const auto made = std::find_if(set_.changes.begin(), set_.changes.end(),
                                     [&](const ValueChange& change) { return change.place == each->place; });
      if (made == set_.changes.end()) {
        if (auto done = set_at(*each, setting.value); !done) return done;
      } else if (!same_value(made->to, setting.value)) {
        return Error{Error::Kind::kInvalid, where + " would have to be " + to_text(made->to) + " for one place and " +
                                                to_text(setting.value) + " for another (name one with --at PLACE)"};
      }
    }
    return success();
  }

  // There is no "lr", only lr_encoder, lr_head and the like.
  [[nodiscard]] bool is_one_of_several(std::string_view knob) const {
    const auto* first = in_force(found_, knob);
    return first != nullptr && first->match.alias != nullptr && first->match.alias->among_words;
  }

  // Each with a value of its own, all by the same factor; of each name the likeliest place.
  Status scale_other_rates(double factor, const Candidate& place, bool chosen) {
    std::set<std::string> names;
    for (const auto* rate : candidates_of(found_, "learning_rate")) {
      if (rate->match.alias == nullptr || !rate->match.alias->among_words) continue;
      const bool other_file = place.place.kind == Place::Kind::kFile && rate->place.file != place.place.file;
      if (chosen && other_file) continue;
      if (!names.insert(simplified(slice(rate->place.key, rate->place.key.rfind('.') + 1))).second) continue;
      if (!rate->fixed.empty() || (!rate->shared.empty() && !request_.also_shared)) {
        note(printable(in_words(rate->place)) +
             " is left alone: " + (rate->fixed.empty() ? rate->shared : rate->fixed));
        continue;
      }
      const Value scaled = scaled_rate(*as_number(rate->value), factor);
      note(printable(rate->place.key) + " goes along: " + to_text(rate->value) + " → " + to_text(scaled));
      if (auto done = set_at(*rate, scaled); !done) return done;
    }
    return success();
  }

  // A value that counts several ranks together is not the one that was asked for.
  void tell_whose() {
    for (const auto& [knob, places] : chosen_) {
      for (const auto* place : places) {
        if (place->match.counts() == Whose::kRank) continue;
        const auto together = found_.reading.counted_by(place->match.counts());
        const std::string who = printable(in_words(place->place)) + " counts all GPUs " +
                                (place->match.counts() == Whose::kNode ? "of a node " : "") + "together";
        note(found_.reading.ranks ? who + ": " + std::to_string(together) + " (" + printable(found_.reading.ranks_from) + ")"
                                  : who + "; how many there are is not known, 1 is assumed");
      }
    }
  }

  const KnobTable& table_;
  const RunCommand& run_;
  std::span<const SourceFile> files_;
  const Found& found_;
  const Evidence& evidence_;
  const ChangeRequest& request_;
  std::vector<Setting> settings_;  // of the request, checked
  std::map<std::string, std::vector<const Candidate*>, std::less<>> chosen_;  // by knob
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
