// Rows of bench/data/memory_points.csv as requests to the estimator: what a user would have typed for that run.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/estimator/estimate.hpp"

namespace gputop::bench {

struct Row {
  std::string model;
  std::string family;
  std::string run;  // the same for rows that differ in the batch alone
  EstimateRequest request;
  std::uint64_t batch = 0;
  double bytes = 0;             // that were measured; 0: none
  bool allocated_only = false;  // torch's figure: no context in it
  bool held_out = false;
  bool usable = true;   // false: not the memory of one GPU training the whole of it
  bool single = true;   // one GPU
  double capacity = 0;  // of a row that says only what fits
  std::uint64_t failed_batch = 0;
};

using Fields = std::map<std::string, std::string>;

inline std::vector<std::string> split_csv(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else if (c != '\r')
      fields.back() += c;
  }
  return fields;
}

inline bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

inline std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// The number behind a word: "trainable 1,572,864" → 1572864.
inline double number_after(const std::string& text, const std::string& word) {
  const auto at = text.find(word);
  if (at == std::string::npos) return 0;
  std::string digits;
  for (std::size_t i = at + word.size();
       i < text.size() && (std::isdigit(static_cast<unsigned char>(text[i])) != 0 || text[i] == ','); ++i) {
    if (text[i] != ',') digits += text[i];
  }
  return digits.empty() ? 0 : std::atof(digits.c_str());
}

// How many GPUs: "4xA10G", "2 x A100-40GB", "h100_80gb x8", "A100-80GB x4".
inline unsigned world_of(const std::string& gpu) {
  const int front = std::atoi(gpu.c_str());
  if (front > 0 && has(gpu.substr(0, 5), "x")) return static_cast<unsigned>(front);
  const auto at = gpu.rfind(" x");
  const int back = at == std::string::npos ? 0 : std::atoi(gpu.c_str() + at + 2);
  return back > 0 ? static_cast<unsigned>(back) : 1;
}

inline Resolution image_size(const Fields& row) {
  struct Known {
    std::string_view word;
    Resolution size;
  };
  static constexpr std::array<Known, 8> kByName{{{"crop640", {640, 640}},
                                                 {"crop512", {512, 512}},
                                                 {"crop511", {511, 511}},
                                                 {"cornernet", {511, 511}},
                                                 {"lsj", {1024, 1024}},
                                                 {"ssd300", {300, 300}},
                                                 {"youtubevis", {640, 360}},
                                                 {"voc0712", {1000, 600}}}};
  const auto& name = row.at("model");
  const auto& text = row.at("seq_or_res");
  for (const auto& [word, size] : kByName) {
    if (has(name, word)) return size;
  }
  if (text == "800-1024") return {2048, 1024};
  if (has(text, "short")) return {1333, 800};
  const double first = std::atof(text.c_str());
  const auto x = text.find('x');
  return {x == std::string::npos ? first : std::atof(text.c_str() + x + 1), first};
}

inline double class_count(const std::string& model) {
  static const std::vector<std::pair<std::string_view, double>> kSets{
      {"ade20k", 150}, {"voc12aug", 21}, {"pascal-context", 60}, {"coco-stuff", 171}, {"loveda", 7},
      {"potsdam", 6},  {"vaihingen", 6}, {"isaid", 16},          {"drive", 2},        {"stare", 2},
      {"chase", 2},    {"hrf", 2},       {"mapillay", 65}};
  for (const auto& [name, classes] : kSets) {
    if (has(model, name)) return classes;
  }
  return 19;
}

inline void describe_image(const Fields& row, Row& out) {
  auto& request = out.request;
  request.model = row.at("model");
  request.resolution = image_size(row);
  if (out.family == "mmseg") request.classes = class_count(row.at("model"));
  request.precision = has(row.at("precision"), "fp16") ? Precision::kAmpFp16 : Precision::kFp32;
  request.optimizer = parse_optimizer(row.at("optimizer")).value_or(OptimizerKind::kSgdMomentum);
  out.allocated_only = true;
}

// Shares of the parameters that adapters of these recipes train, where the row does not say.
inline double adapter_share(const std::string& family) {
  return family == "llm-finetune-qwen" ? 0.02 : 0.005;
}

inline void describe_transformer(const Fields& row, const ModelTable* table, Row& out) {
  auto& request = out.request;
  const auto name = lower(row.at("model"));
  const auto& note = row.at("note");
  const auto& family = out.family;
  const bool qwen = family == "llm-finetune-qwen";
  const bool torchtune = family == "llm-finetune-torchtune";
  const bool adapter = has(name, "lora") || has(name, "adapter") || has(row.at("optimizer"), "lora");
  request.model = has(note, "gemma2") && has(name, "gemma-2b") ? "gemma-2-2b" : row.at("model");
  const double sequence = std::atof(row.at("seq_or_res").c_str());
  request.sequence = sequence > 0 ? sequence : 512;
  request.attention = Attention::kFlash;
  request.optimizer =
      parse_optimizer(row.at("optimizer").substr(0, row.at("optimizer").find('('))).value_or(OptimizerKind::kAdamW);
  request.precision =
      qwen || has(row.at("precision"), "amp") ? Precision::kAmpBf16 : Precision::kBf16;  // HF's --bf16 is autocast
  if (has(row.at("precision"), "nf4") || has(row.at("precision"), "int4") || has(name, "qlora") || has(name, "q-lora"))
    request.base_bits = 4;
  // Qwen's scripts and torchtune's recipes checkpoint; torchtune computes the loss in chunks.
  const bool checkpointed =
      row.at("checkpointing") == "full" || qwen || (torchtune && row.at("checkpointing") != "none");
  request.checkpointing = checkpointed ? Checkpointing::kFull : Checkpointing::kNone;
  if (torchtune) request.logits = Logits::kChunked;
  if (adapter) {
    const double said = number_after(note, "trainable ");
    const auto model = find_model(*table, *request.model);
    double trainable = said > 0 ? said : model ? adapter_share(family) * model->params : 0;
    if (has(name, "(emb)") && model) trainable += 2 * model->vocab * model->hidden;
    if (trainable > 0) request.trainable = trainable;
  }
  const unsigned world = world_of(row.at("gpu"));
  if (world > 1 && (torchtune || !adapter)) {
    request.world = world;
    request.sharding = Sharding::kZero3;
  }
  out.allocated_only = !qwen;
  // What is not packed has samples shorter than the sequence, by an unknown part.
  out.usable = !has(note, "SUM") && !has(name, "offload") && !has(name, "unpacked");
}

inline void describe_bound(const Fields& row, Row& out) {
  const auto& note = row.at("note");
  const bool ran = has(note, "RAN");
  if (!has(note, "BOUND") && !ran) return;
  auto& request = out.request;
  request.model = row.at("model");
  out.capacity = (ran ? (has(row.at("gpu"), "40gb") ? 40.0 : 80.0) : 24.0) * 1024 * 1024 * 1024;
  out.failed_batch = static_cast<std::uint64_t>(number_after(note, "; batch "));
  if (!has(note, "failed")) out.failed_batch = 0;
  request.optimizer = parse_optimizer(row.at("optimizer")).value_or(OptimizerKind::kAdamW);
  if (ran) {
    request.precision = Precision::kAmpBf16;
    request.sequence = std::atof(row.at("seq_or_res").c_str());
    request.attention = Attention::kFlash;
    request.checkpointing = row.at("checkpointing") == "full" ? Checkpointing::kFull : Checkpointing::kNone;
    request.world = world_of(row.at("gpu"));
    request.sharding = Sharding::kZero3;
  } else {
    request.precision = Precision::kAmpFp16;
    request.attention = Attention::kEager;  // PyTorch 1.12
    const double size = std::atof(row.at("seq_or_res").c_str());
    request.resolution = Resolution{size, size};
  }
}

inline std::vector<Row> read_rows(const std::string& folder, const ModelTable& table) {
  std::set<std::size_t> held_out;
  std::ifstream list{folder + "/held_out.txt"};
  for (std::size_t line = 0; list >> line;) held_out.insert(line);
  std::ifstream file{folder + "/memory_points.csv"};
  std::string line;
  if (!std::getline(file, line)) return {};
  const auto header = split_csv(line);
  std::vector<Row> rows;
  for (std::size_t number = 2; std::getline(file, line); ++number) {
    const auto values = split_csv(line);
    Fields row;
    for (std::size_t i = 0; i < header.size(); ++i) row[header[i]] = i < values.size() ? values[i] : "";
    Row out;
    out.model = row["model"];
    out.family = row["family"];
    out.batch = static_cast<std::uint64_t>(std::atoll(row["batch_per_gpu"].c_str()));
    out.held_out = held_out.contains(number);
    out.single = world_of(row["gpu"]) == 1;
    out.run = row["family"] + row["model"] + row["seq_or_res"] + row["precision"] + row["checkpointing"] + row["gpu"] +
              row["source"];
    const double unit = out.family == "llm-finetune-litgpt" ? 1e9 : 1024.0 * 1024 * 1024;
    out.bytes = out.batch == 0 ? 0 : std::atof(row["mem_gb"].c_str()) * unit;
    const bool image = out.family == "mmseg" || out.family == "mmdet" || out.family == "rcnn-det";
    if (out.bytes > 0 && image)
      describe_image(row, out);
    else if (out.bytes > 0 && out.family.starts_with("llm"))
      describe_transformer(row, &table, out);
    else
      out.bytes = 0;
    if (out.bytes <= 0) describe_bound(row, out);
    if (out.bytes > 0 || out.capacity > 0) rows.push_back(std::move(out));
  }
  return rows;
}

}  // namespace gputop::bench
