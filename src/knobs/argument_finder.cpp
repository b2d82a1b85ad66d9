#include "knobs/argument_finder.hpp"

#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "knobs/layers.hpp"
#include "knobs/paths.hpp"

namespace gputop::knobs {
namespace {

using How = Place::How;

constexpr int kSuperseded = -kLayer / 2;  // behind the one that is in force

class ArgumentFinder {
 public:
  ArgumentFinder(const KnobTable& table,
                 const std::vector<std::string>& argv,
                 const CommandWords& command,
                 const std::vector<DeclaredFlag>& declared,
                 const Reading& reading)
      : table_(table), argv_(argv), command_(command), declared_(declared), reading_(reading) {}

  std::vector<Candidate> find() {
    for (const auto& word : argv_) {
      for (auto& part : split(slice(word, 0, word.find('=')), '.')) names_.insert(simplified(part));
    }
    for (std::size_t i = 1; i + 1 < argv_.size(); ++i) {  // --batch_size_type frame
      if (is_flag(argv_[i]) && !is_flag(argv_[i + 1])) names_.insert(simplified(argv_[i] + "=" + argv_[i + 1]));
    }
    for (std::size_t i = 1; i < argv_.size(); ++i) {
      const std::string& word = argv_[i];
      if (i < command_.first_argument) {
        if (!is_flag(word)) variable(i);  // env OMP_NUM_THREADS=4 python train.py
        if (word.starts_with("--mixed_precision") && name_of(argv_.front()) == "accelerate") of_launcher(i);
      } else if (word == "--") {
        break;
      } else if (word.starts_with("--")) {
        long_flag(i);
      } else if (is_flag(word)) {
        short_flag(i);
      } else if (!hydra_override(i) && !variable(i)) {
        pair(i);
      }
    }
    later_ones_win();
    for (const auto& flag : declared_) not_given(flag);
    return std::move(found_);
  }

  std::optional<Candidate> find_one(const Match& what, std::string_view name) {
    const std::string plain = simplified(name);
    const auto is_it = [&](const std::string& flag) { return flag.starts_with('-') && simplified(flag) == plain; };
    const auto own = std::find_if(declared_.begin(), declared_.end(), [&](const DeclaredFlag& flag) { return is_it(flag.name); });
    for (std::size_t i = command_.first_argument; i < argv_.size(); ++i) {
      const auto equals = argv_[i].find('=');
      const std::string flag = slice(argv_[i], 0, equals);
      const bool other_name = own != declared_.end() && std::find(own->names.begin(), own->names.end(), flag) != own->names.end();
      if (!is_it(flag) && !other_name) continue;
      if (equals != std::string::npos) {
        add(what, How::kReplace, i, equals + 1, argv_[i].size(), flag);
      } else {
        flag_with_next(what, i, flag, own != declared_.end() && own->is_switch);
      }
    }
    if (found_.empty() && own != declared_.end()) absent(what, *own);
    return found_.empty() ? std::nullopt : std::optional{std::move(found_.back())};
  }

 private:
  [[nodiscard]] std::optional<Match> named(std::string_view key) const {
    return match(table_, split(key, '.'), names_);
  }

  Candidate& add(const Match& what, How how, std::size_t word, std::size_t begin, std::size_t end, std::string key) {
    Candidate candidate{.knob = what.knob->name, .place = {}, .match = what};
    candidate.place = {.kind = Place::Kind::kArgument,
                       .how = how,
                       .file = {},
                       .key = std::move(key),
                       .word = word,
                       .begin = begin,
                       .end = end};
    if (how == How::kReplace) {
      std::string_view raw = slice(std::string_view{argv_[word]}, begin, end - begin);
      if (raw.size() >= 2 && (char_at(raw, 0) == '"' || char_at(raw, 0) == '\'') &&
          last_char(raw) == char_at(raw, 0)) {  // Hydra's own quotes
        raw = slice(raw, 1, raw.size() - 2);
        ++candidate.place.begin;
        --candidate.place.end;
      }
      candidate.found = read_scalar(raw, Dialect::kWords);
      if (raw.find("${") != raw.npos) candidate.fixed = "an interpolation (" + printable(raw) + ")";
      if (raw.find(',') != raw.npos && what.knob->type != ValueType::kWord) {
        candidate.fixed = "several values (" + printable(raw) + "): a sweep";
      }
    }
    const bool numbers = what.knob->type == ValueType::kInteger || what.knob->type == ValueType::kNumber;
    if (how == How::kReplace && candidate.fixed.empty() && numbers && !as_number(candidate.found) &&
        !std::holds_alternative<std::monostate>(candidate.found)) {
      candidate.fixed = "says \"" + printable(to_text(candidate.found)) + "\", which is no number";
    }
    if (how == How::kPresent) candidate.found = true;
    candidate.value = what.alias != nullptr ? meant(what, candidate.found, reading_) : candidate.found;
    found_.push_back(std::move(candidate));
    return found_.back();
  }

  // The value of a flag in the next word, or the flag alone.
  void flag_with_next(const Match& what, std::size_t i, const std::string& key, bool declared_switch) {
    const bool alone = stands_alone(what);
    const bool more = i + 1 < argv_.size() && !is_flag(argv_[i + 1]) && !declared_switch;
    if (more && (!alone || says_switch(what, read_scalar(argv_[i + 1], Dialect::kWords), reading_))) {
      add(what, How::kReplace, i + 1, 0, argv_[i + 1].size(), key);
    } else if (alone || (!more && what.knob->type == ValueType::kWord && what.knob->words.empty())) {
      add(what, How::kPresent, i, 0, argv_[i].size(), key);
    }
  }
  // --hparams=batch_size=32,fp16_run=True, and --hparams batch_size=32
  void nested(std::size_t i, std::size_t equals) {
    const bool next = equals == std::string::npos && i + 1 < argv_.size() && !is_flag(argv_[i + 1]);
    if (equals == std::string::npos && !next) return;
    const std::size_t word = next ? i + 1 : i;
    const std::string& text = argv_[word];
    for (std::size_t begin = next ? 0 : equals + 1, end = 0; begin < text.size(); begin = end + 1) {
      end = std::min(text.find(',', begin), text.size());
      const auto sign = text.find('=', begin);
      if (sign >= end) continue;
      const std::string key = slice(text, begin, sign - begin);
      if (next && end == text.size() && begin == 0) return;  // key=value of its own: read as that
      if (const auto what = named(key)) add(*what, How::kReplace, word, sign + 1, end, key);
    }
  }
  // accelerate launch --mixed_precision fp16 train.py
  void of_launcher(std::size_t i) {
    const std::size_t before = found_.size();
    long_flag(i);
    for (std::size_t k = before; k < found_.size(); ++k) {
      found_[k].of_launcher = true;
      found_[k].score = kLauncher - kGivenArgument;
    }
  }
  void long_flag(std::size_t i) {
    const std::string& word = argv_[i];
    const auto equals = word.find('=');
    const std::string flag = slice(word, 0, equals);
    std::string whole = flag;
    auto what = named(slice(std::string_view{flag}, 2));
    std::string note;
    const auto full = completed(flag, declared_);
    if (full && *full != flag) {  // what argparse takes it for counts more than what it looks like
      whole = *full;
      what = named(slice(std::string_view{whole}, 2));
      note = "short for " + whole;
    }
    if (!what && (flag.starts_with("--no-") || flag.starts_with("--no_")) && equals == word.npos) {
      what = named(slice(std::string_view{flag}, 5));
      if (!what || what->knob->type != ValueType::kSwitch) return;
      Candidate& off = add(*what, How::kPresent, i, 0, word.size(), flag);
      off.value = off.found = false;
      off.fixed = "a switch that turns it off: remove it from the command line by hand";
      return;
    }
    if (!what) return nested(i, equals);
    const auto declared =
        std::find_if(declared_.begin(), declared_.end(), [&](const DeclaredFlag& d) { return d.name == whole; });
    if (equals != word.npos) {
      add(*what, How::kReplace, i, equals + 1, word.size(), flag);
    } else {
      const std::size_t before = found_.size();
      flag_with_next(*what, i, flag, declared != declared_.end() && declared->is_switch);
      if (found_.size() == before) return;
    }
    if (declared != declared_.end()) found_.back().choices = declared->choices;
    if (!note.empty()) found_.back().evidence.push_back(flag + " is " + note);
  }

  // -b 8, -b=8, -b8; and -lr 0.1, a long name behind one dash
  void short_flag(std::size_t i) {
    const std::string& word = argv_[i];
    if (!declared_.empty()) return declared_short_flag(i);
    for (const auto& knob : table_.knobs) {
      for (const auto& flag : knob.flags) {
        if (!word.starts_with(flag)) continue;
        const Match what{&knob, nullptr};
        if (word.size() == flag.size()) {
          const bool numbers = knob.type == ValueType::kInteger || knob.type == ValueType::kNumber;
          const bool more = i + 1 < argv_.size() && !is_flag(argv_[i + 1]);
          if (more && (!numbers || as_number(read_scalar(argv_[i + 1], Dialect::kWords)))) {
            add(what, How::kReplace, i + 1, 0, argv_[i + 1].size(), flag);
          }
          return;
        }
        const std::size_t begin = flag.size() + (char_at(word, flag.size()) == '=' ? 1 : 0);
        if (!as_number(read_scalar(slice(std::string_view{word}, begin), Dialect::kWords))) continue;
        add(what, How::kReplace, i, begin, word.size(), flag);
        return;
      }
    }
    const auto equals = word.find('=');
    const std::string flag = slice(word, 0, equals);
    const auto what = named(slice(std::string_view{flag}, 1));
    if (!what) return;
    if (equals == word.npos) {
      flag_with_next(*what, i, flag, false);
    } else {
      add(*what, How::kReplace, i, equals + 1, word.size(), flag);
    }
  }

  // The script was read: a short flag is what it says there, and nothing else.
  void declared_short_flag(std::size_t i) {
    const std::string& word = argv_[i];
    for (const auto& flag : declared_) {
      const auto what = named(slice(std::string_view{flag.name}, std::min(flag.name.find_first_not_of('-'), flag.name.size())));
      if (!what) continue;
      for (const auto& name : flag.names) {
        if (name.starts_with("--") || !word.starts_with(name)) continue;
        if (word.size() == name.size()) return flag_with_next(*what, i, name, flag.is_switch);
        const std::size_t begin = name.size() + (char_at(word, name.size()) == '=' ? 1 : 0);
        if (!as_number(read_scalar(slice(std::string_view{word}, begin), Dialect::kWords))) continue;
        add(*what, How::kReplace, i, begin, word.size(), name);
        return;
      }
    }
  }

  // data.batch_size=8, +trainer.x=1, batch=16
  bool hydra_override(std::size_t i) {
    const std::string& word = argv_[i];
    const auto equals = word.find('=');
    if (equals == word.npos || equals == 0) return false;
    const std::size_t begin = std::min(word.find_first_not_of('+'), equals);
    const std::string key = slice(word, begin, equals - begin);
    if (key.find_first_of("/ :") != key.npos) return false;
    const auto what = named(key);
    if (!what) return false;
    add(*what, How::kReplace, i, equals + 1, word.size(), key);
    return true;
  }

  bool variable(std::size_t i) {
    const std::string& word = argv_[i];
    const auto equals = word.find('=');
    if (equals == word.npos) return false;
    const std::string name = slice(word, 0, equals);
    for (const auto& knob : table_.knobs) {
      if (std::find(knob.environment.begin(), knob.environment.end(), name) == knob.environment.end()) continue;
      add({&knob, nullptr}, How::kReplace, i, equals + 1, word.size(), name);
      return true;
    }
    return false;
  }

  // detectron2: SOLVER.IMS_PER_BATCH 16; yacs and its kind: train.batch_size 16
  void pair(std::size_t i) {
    const std::string& word = argv_[i];
    if (word.find('.') == word.npos || i + 1 >= argv_.size()) return;
    const auto what = named(word);
    if (!what) return;
    const Value value = meant(*what, read_scalar(argv_[i + 1], Dialect::kWords), reading_);
    if (check_value(*what->knob, value)) add(*what, How::kReplace, i + 1, 0, argv_[i + 1].size(), word);
  }

  // Of a flag given twice, parsers take the last.
  void later_ones_win() {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      for (std::size_t k = i + 1; k < found_.size(); ++k) {
        const auto& later = found_[k];
        if (found_[i].knob == later.knob && found_[i].place.key == later.place.key && found_[i].fixed.empty()) {
          found_[i].fixed = "the command line says " + later.place.key + " again later";
          found_[i].score = kSuperseded;
        }
      }
    }
  }

  void not_given(const DeclaredFlag& flag) {
    if (!flag.name.starts_with("--")) return;
    const auto what = named(slice(std::string_view{flag.name}, 2));
    if (!what) return;
    for (const auto& known : found_) {
      // One batch size is enough; but --bf16 says what --fp16 cannot, and --lr-head is another than --lr-body.
      const bool own = std::find(flag.names.begin(), flag.names.end(), known.place.key) != flag.names.end();
      const bool same = (what->alias->spelled.empty() && !what->alias->among_words) || own;
      if (same && known.knob == what->knob->name && known.place.how != How::kAbsent) return;
    }
    absent(*what, flag);
  }

  void absent(const Match& what, const DeclaredFlag& flag) {
    const auto dashes =
        std::find(argv_.begin() + static_cast<std::ptrdiff_t>(std::min(command_.first_argument, argv_.size())),
                  argv_.end(), "--");
    Candidate& candidate = add(what, How::kAbsent, static_cast<std::size_t>(dashes - argv_.begin()), 0, 0, flag.name);
    candidate.found =
        flag.is_switch && std::holds_alternative<std::monostate>(flag.fallback) ? Value{false} : flag.fallback;
    candidate.value = meant(what, candidate.found, reading_);
    candidate.place.alone = flag.is_switch;
    candidate.choices = flag.choices;
    candidate.evidence.push_back("the script takes " + flag.name + ", which was not given");
  }

  const KnobTable& table_;
  const std::vector<std::string>& argv_;
  const CommandWords& command_;
  const std::vector<DeclaredFlag>& declared_;
  const Reading& reading_;
  std::set<std::string> names_;
  std::vector<Candidate> found_;
};

}  // namespace

std::vector<Candidate> find_in_arguments(const KnobTable& table,
                                         const std::vector<std::string>& argv,
                                         const CommandWords& command,
                                         const std::vector<DeclaredFlag>& declared,
                                         const Reading& reading) {
  return ArgumentFinder{table, argv, command, declared, reading}.find();
}

std::optional<Candidate> find_argument(const KnobTable& table,
                                       const std::vector<std::string>& argv,
                                       const CommandWords& command,
                                       const std::vector<DeclaredFlag>& declared,
                                       const Reading& reading,
                                       const Match& what,
                                       std::string_view name) {
  return ArgumentFinder{table, argv, command, declared, reading}.find_one(what, name);
}

}  // namespace gputop::knobs
