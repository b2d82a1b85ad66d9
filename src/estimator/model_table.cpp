#include "gputop/estimator/model_table.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "gputop/core/characters.hpp"
#include "gputop/core/closest_word.hpp"
#include "gputop/core/format.hpp"

namespace gputop {
namespace {

constexpr double kPartsError = 0.40;     // of a known head on a known backbone, by bench/estimator
constexpr double kBackboneError = 0.50;  // the head is not in the table
constexpr double kHeadPixels = 500;      // bytes: assumed for an unknown head
constexpr double kHeadParams = 12e6;

std::string plain(std::string_view name) {
  if (const auto slash = name.rfind('/'); slash != std::string_view::npos) name.remove_prefix(slash + 1);
  // "yolov8m.pt": strips the file extension.
  for (const std::string_view ending : {".pt", ".pth", ".yaml", ".yml", ".ckpt", ".safetensors", ".py"}) {
    if (name.ends_with(ending)) name.remove_suffix(ending.size());
  }
  std::string result;
  for (const char c : name) {
    const bool separator = c == '_' || c == ' ';
    result += separator ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

// Whether `part` occurs in `text` between separators (or the ends).
bool has_words(std::string_view text, std::string_view part) {
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    const auto end = at + part.size();
    if ((at == 0 || text[at - 1] == '-') && (end == text.size() || text[end] == '-')) return true;
  }
  return false;
}

// The entry whose name or alias is the longest found in the text.
template <class Entry>
const Entry* longest_within(const std::vector<Entry>& entries, std::string_view text) {
  const Entry* best = nullptr;
  std::size_t length = 0;
  const auto offer = [&](const Entry& entry, std::string_view name) {
    const auto words = plain(name);
    if (words.size() > length && has_words(text, words)) {
      best = &entry;
      length = words.size();
    }
  };
  for (const auto& entry : entries) {
    offer(entry, entry.name);
    for (const auto& alias : entry.aliases) offer(entry, alias);
  }
  return best;
}

// "llama3_2_1b" for "llama-3.2-1b": a dash between a word and its number, and dashes for dots.
std::string spelled_out(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool digit = is_digit(c);
    const bool behind_letter = !result.empty() && std::isalpha(static_cast<unsigned char>(result.back())) != 0;
    if (digit && behind_letter) result += '-';
    result += c == '.' ? '-' : c;
  }
  return result;
}

// Of transformers only: among backbones "r101" and "r-101" are two.
const NamedModel* longest_spelled(const std::vector<NamedModel>& models, std::string_view text) {
  const auto words = spelled_out(text);
  const NamedModel* best = nullptr;
  std::size_t length = 0;
  const auto offer = [&](const NamedModel& model, std::string_view name) {
    const auto part = spelled_out(plain(name));
    if (model.family != ModelFamily::kTransformer || part.size() <= length || !has_words(words, part)) return;
    best = &model;
    length = part.size();
  };
  for (const auto& model : models) {
    offer(model, model.name);
    for (const auto& alias : model.aliases) offer(model, alias);
  }
  return best;
}

// Whether plain(name) is `text`, without making it: the table has a thousand names.
bool is_plainly(std::string_view name, std::string_view text) {
  const auto same = [](char a, char b) {
    const bool separator = a == '_' || a == ' ';
    return (separator ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(a)))) == b;
  };
  return name.size() == text.size() ? std::equal(name.begin(), name.end(), text.begin(), same)
                                    : name.size() > text.size() && plain(name) == text;
}

const NamedModel* exactly(const std::vector<NamedModel>& models, std::string_view text) {
  for (const auto& model : models) {
    if (is_plainly(model.name, text)) return &model;
    for (const auto& alias : model.aliases) {
      if (is_plainly(alias, text)) return &model;
    }
  }
  return nullptr;
}

NamedModel composed(const ModelPart* head, const ModelPart* backbone) {
  NamedModel model;
  model.family = ModelFamily::kCnn;
  model.error = head != nullptr ? kPartsError : kBackboneError;
  model.params = head != nullptr ? head->params : kHeadParams;
  model.bytes_per_pixel = head != nullptr ? head->bytes_per_pixel : kHeadPixels;
  if (head != nullptr) {
    model.name = head->name;
    model.class_bytes_per_pixel = head->class_bytes_per_pixel;
    model.half_ratio = head->half_ratio;
    model.width = head->width;
    model.height = head->height;
  }
  if (backbone != nullptr) {
    model.name += (model.name.empty() ? "" : " on ") + backbone->name;
    model.params += backbone->params;
    model.bytes_per_pixel += backbone->bytes_per_pixel;
    if (backbone->half_ratio > 0) model.half_ratio = backbone->half_ratio;
  }
  return model;
}

Error unknown(const ModelTable& table, std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& model : table.models) names.push_back(model.name);
  for (const auto& head : table.heads) names.push_back(head.name);
  std::string message = "no model is called \"" + printable(name.substr(0, 60)) + '"' + did_you_mean(name, names);
  message += "; give its shape instead (--params --layers --hidden --seq, or --per-sample), or add it to models.yaml";
  return {Error::Kind::kNotFound, message};
}

}  // namespace

Result<NamedModel> find_model(const ModelTable& table, std::string_view name) {
  const auto text = plain(name);
  if (const auto* model = exactly(table.models, text)) return *model;
  const auto* head = longest_within(table.heads, text);
  const auto* backbone = longest_within(table.backbones, text);
  if (head != nullptr && (backbone != nullptr || head->whole)) return composed(head, head->whole ? nullptr : backbone);
  if (const auto* model = longest_within(table.models, text)) return *model;
  if (const auto* model = longest_spelled(table.models, text)) return *model;
  if (backbone != nullptr) return composed(nullptr, backbone);
  return unknown(table, name);
}

std::vector<std::string> unknown_words(std::string_view name, const NamedModel& found) {
  static constexpr std::array<std::string_view, 38> kHarmless{
      "pretrained", "finetuned", "uncased",  "cased", "instruct", "chat",   "base",  "model",  "imagenet", "coco",   "ade",
      "cityscapes", "voc",       "lvis",     "nuscenes", "kitti", "train",  "config", "epoch", "schedule", "fp16",   "amp",
      "caffe",      "pytorch",   "multilingual", "english", "seg", "cls",   "det",   "default", "baseline",
      "fpn",        "sgd",       "adam",     "adamw", "poly",     "drive",  "stare"};
  std::string known = plain(found.name);
  for (const auto& alias : found.aliases) known += "-" + plain(alias);
  std::vector<std::string> words;
  std::string word;
  const auto take = [&] {
    constexpr std::size_t kShort = 2;
    const bool letters = std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
    if (word.size() > kShort && letters && known.find(word) == std::string::npos &&
        std::find(kHarmless.begin(), kHarmless.end(), word) == kHarmless.end())
      words.push_back(word);
    word.clear();
  };
  for (const char c : plain(name) + "-") {
    if (c == '-' || c == '.') take();
    else word += c;
  }
  return words;
}

}  // namespace gputop
