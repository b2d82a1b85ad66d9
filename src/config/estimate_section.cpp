#include "config/estimate_section.hpp"

#include <algorithm>

#include "gputop/core/closest_word.hpp"
#include "gputop/core/format.hpp"

namespace gputop {
namespace {

using Path = std::vector<std::string>;

// A key of the section with everything below it, in the form of a flag: lists and mappings become "a,b" and
// "name=value,…" (or "batch:size,…").
struct FlatKey {
  Path path;
  std::string text;
  int line = 0;
};

void add(FlatKey& key, const knobs::Entry& entry, char between) {
  std::string item;
  for (std::size_t i = key.path.size(); i < entry.path.size(); ++i) {
    if (!entry.path[i].starts_with('[')) item += entry.path[i] + between;
  }
  key.text += (key.text.empty() ? "" : ",") + item + knobs::to_text(entry.value);
}

class SectionReader {
 public:
  SectionReader(const std::string& file, TrainingFile& result) : file_(file), result_(result) {}

  void read(const knobs::Document& document) {
    std::vector<FlatKey> keys;
    for (const auto& entry : document.entries) {
      if (entry.path.size() < 2 || entry.path.front() != "estimate") continue;
      const bool stage = entry.path[1] == "stages" && entry.path.size() >= 4;
      const std::size_t depth = stage ? 4 : 2;
      const Path path{entry.path.begin(), entry.path.begin() + static_cast<std::ptrdiff_t>(std::min(depth, entry.path.size()))};
      if (keys.empty() || keys.back().path != path) keys.push_back({path, "", entry.line});
      const bool points = path.back() == "measured" || path.back() == "throughput";
      add(keys.back(), entry, points ? ':' : '=');
    }
    for (const auto& key : keys) take(key);
  }

 private:
  void complain(int line, std::string text) { result_.problems.push_back({file_, line, std::move(text)}); }

  void take(const FlatKey& key) {
    if (key.path[1] != "stages") return read_key(key, result_.request);
    if (key.path.size() < 4 || !key.path[2].starts_with('[')) {
      return complain(key.line, "estimate.stages: is not a list");
    }
    const std::string& item = key.path[2];
    if (item != stage_) {
      stage_ = item;
      result_.stages.emplace_back();
      result_.stages.back().name = std::to_string(result_.stages.size());
    }
    if (key.path.back() == "name") {
      result_.stages.back().name = printable(key.text);
    } else {
      read_key(key, result_.stages.back().changes);
    }
  }

  void read_key(const FlatKey& flat, EstimateRequest& request) {
    const std::string& name = flat.path.back();
    const std::string path = knobs::joined({flat.path.begin(), flat.path.end() - 1});
    const auto* key = find_request_key(name);
    if (key == nullptr) {
      std::vector<std::string_view> names;
      for (const auto& known : request_keys()) names.push_back(known.name);
      return complain(flat.line, path + ": unknown key \"" + printable(name) + '"' + did_you_mean(name, names));
    }
    if (const auto wrong = key->read(flat.text, request)) return complain(flat.line, path + "." + name + ": " + *wrong);
    result_.settings.push_back({std::string{key->name}, path + "." + name, flat.text, flat.line, true, file_});
  }

  const std::string& file_;
  TrainingFile& result_;
  std::string stage_;
};

}  // namespace

bool read_estimate_section(const knobs::Document& document, const std::string& file, TrainingFile& result) {
  const bool there = std::any_of(document.entries.begin(), document.entries.end(), [](const knobs::Entry& entry) {
    return entry.path.size() > 1 && entry.path.front() == "estimate";
  });
  if (!there) return false;
  SectionReader{file, result}.read(document);
  return true;
}

}  // namespace gputop
