// A run and its files, looked into as the edge does it: files are handed over when they are asked for.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gputop/config/assets.hpp"
#include "gputop/config/knob_file.hpp"
#include "gputop/knobs/change_set.hpp"
#include "gputop/knobs/finder.hpp"

namespace gputop::knobs::test {

// The table that ships.
inline const KnobTable& table() {
  static const KnobTable loaded = parse_knobs(asset("configs/knobs.yaml").value_or(""), "knobs.yaml").table;
  return loaded;
}

struct World {
  RunCommand run;
  std::map<std::string, std::string> disk;
  Evidence evidence;
  std::vector<SourceFile> files;
  Found found;

  World(std::vector<std::string> argv, std::map<std::string, std::string> texts = {}, Evidence known = {})
      : run{std::move(argv), {}}, disk(std::move(texts)), evidence(std::move(known)) {
    look();
  }

  void look() {
    files.clear();
    for (;;) {
      found = find_knobs(table(), run, files, evidence);
      if (found.wanted.empty()) return;
      for (const auto& wanted : found.wanted) {
        const auto text = disk.find(wanted.path);
        files.push_back({wanted.path, text == disk.end() ? std::nullopt : std::optional{text->second}});
      }
    }
  }

  // "argv:--batch-size=8 configs/a.yaml:batch_size=16": places without the lens and what is not there, likeliest first.
  [[nodiscard]] std::string places(std::string_view knob) const {
    std::string text;
    for (const auto* candidate : candidates_of(found, knob)) {
      if (candidate->place.how == Place::How::kAbsent && candidate->place.kind != Place::Kind::kArgument) continue;
      text += (text.empty() ? "" : " ") + to_string(candidate->place) + "=" + to_text(candidate->value);
      if (!candidate->fixed.empty()) text += "(fixed)";
    }
    return text;
  }

  [[nodiscard]] Result<ChangeSet> change(std::vector<std::string> settings, ChangeRequest request = {}) const {
    for (const auto& text : settings) {
      auto setting = parse_setting(table(), text);
      if (!setting) return setting.error();
      request.settings.push_back(*setting);
    }
    return plan_change(table(), run, files, found, evidence, request);
  }
};

}  // namespace gputop::knobs::test
