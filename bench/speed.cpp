// Foretold samples/s against published ones, and batches that ran or failed on 24 GB against the verdict. Run by bench/speed.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "estimator_rows.hpp"
#include "gputop/config/estimator_tables.hpp"
#include "gputop/estimator/card_speed.hpp"

namespace {

using namespace gputop;
using namespace gputop::bench;

std::vector<Fields> read_csv(const std::string& path) {
  std::ifstream file{path};
  std::string line;
  std::vector<Fields> rows;
  if (!std::getline(file, line)) return rows;
  const auto header = split_csv(line);
  while (std::getline(file, line)) {
    const auto values = split_csv(line);
    Fields row;
    for (std::size_t i = 0; i < std::min(header.size(), values.size()); ++i) row[header[i]] = values[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

double number(const Fields& row, const char* name) {
  const auto found = row.find(name);
  return found == row.end() ? 0 : std::strtod(found->second.c_str(), nullptr);
}

// Half of the models were used to fit the constants of card_speed.cpp; by name, so that nobody chose them.
bool held_out(const std::string& model) {
  std::uint32_t hash = 2166136261U;
  for (const char c : model) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return (hash >> 8U) % 2 == 0;
}

struct Pairs {
  std::vector<double> foretold;
  std::vector<double> published;
  std::vector<std::string> names;
  void add(double told, double seen, std::string name) {
    foretold.push_back(told);
    published.push_back(seen);
    names.push_back(std::move(name));
  }
  [[nodiscard]] double within(double share) const {
    std::size_t inside = 0;
    for (std::size_t i = 0; i < foretold.size(); ++i) inside += std::abs(foretold[i] / published[i] - 1) <= share ? 1U : 0U;
    return foretold.empty() ? 0 : static_cast<double>(inside) / static_cast<double>(foretold.size());
  }
  [[nodiscard]] double median_ratio() const {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < foretold.size(); ++i) ratios.push_back(foretold[i] / published[i]);
    std::sort(ratios.begin(), ratios.end());
    return ratios.empty() ? 0 : ratios[ratios.size() / 2];
  }
  [[nodiscard]] static std::vector<double> ranks(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] < values[b]; });
    std::vector<double> rank(values.size());
    for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<double>(i);
    return rank;
  }
  [[nodiscard]] double rank_correlation() const {  // Spearman's
    const auto a = ranks(foretold);
    const auto b = ranks(published);
    const auto n = static_cast<double>(a.size());
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return n < 3 ? 0 : 1 - 6 * sum / (n * (n * n - 1));
  }
  void print(const std::string& name) const {
    std::printf("  %-44s %4zu rows   within 30 %%: %5.1f %%   median ratio %.2f   rank correlation %.3f\n", name.c_str(), foretold.size(),
                100 * within(0.3), median_ratio(), rank_correlation());
  }
};

std::optional<StepWork> work_for(EstimateRequest request, const EstimatorTables& tables) {
  const auto setup = training_setup(request, tables.models);
  return setup ? work_of(*setup) : std::nullopt;
}

EstimateRequest image_request(const std::string& model, double size, Precision precision) {
  EstimateRequest request;
  request.model = model;
  request.resolution = Resolution{size, size};
  request.precision = precision;
  request.optimizer = OptimizerKind::kSgdMomentum;
  return request;
}

// Only models that are counted, under their own name.
bool is_counted(const std::string& model, const EstimatorTables& tables) {
  const auto found = find_model(tables.models, model);
  const auto spelled = [](std::string name) {
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
  };
  return found && found->counted && spelled(found->name) == spelled(model);
}

int timm_speed(const std::string& folder, const EstimatorTables& tables, bool worst) {
  std::map<std::string, Pairs> groups;
  std::set<std::string> models;
  Pairs held;
  for (const auto& row : read_csv(folder + "/timm_train_speed.csv")) {
    const auto& model = row.at("model");
    const double seen = number(row, "samples_per_s");
    if (!is_counted(model, tables) || !(seen > 0)) continue;
    const auto work = work_for(image_request(model, number(row, "img_size"), Precision::kAmpFp16), tables);
    const auto card = find_gpu(tables.gpus, row.at("card"));
    if (!work || !card) continue;
    const auto speed = speed_on(*card, *work, number(row, "batch"));
    if (!speed) continue;
    const bool usual = row.at("layout") == "nchw";
    models.insert(model);
    groups[row.at("layout") + (held_out(model) ? ", held out" : ", fitted")].add(speed->samples_per_second, seen, model);
    if (usual && held_out(model)) held.add(speed->samples_per_second, seen, model);
  }
  std::printf("timm_train_speed.csv: RTX 3090, %zu models that are counted; constants are those of channels first (nchw)\n", models.size());
  for (const auto& [name, pairs] : groups) pairs.print(name);
  if (worst) {
    for (std::size_t i = 0; i < held.names.size(); ++i) {
      if (std::abs(held.foretold[i] / held.published[i] - 1) > 0.3)
        std::printf("    %-40s %8.0f foretold %8.0f\n", held.names[i].c_str(), held.published[i], held.foretold[i]);
    }
  }
  const bool met = held.within(0.3) >= 0.8 && held.rank_correlation() >= 0.9;
  std::printf("%s held out: within 30 %% of %.1f %% (at least 80 %%), rank correlation %.3f (at least 0.9)\n\n", met ? "ok    " : "MISSED",
              100 * held.within(0.3), held.rank_correlation());
  return met ? 0 : 1;
}

EstimateRequest bert(const char* name, double sequence, Precision precision, Attention attention) {
  EstimateRequest request;
  request.model = name;
  request.sequence = sequence;
  request.precision = precision;
  request.attention = attention;
  if (attention == Attention::kEager) request.vocab = 0;  // SQuAD: no logits over a vocabulary
  return request;
}

// What others' names stand for; nullopt: not a model that an estimate can be asked for.
std::optional<EstimateRequest> named_run(const Fields& row, bool milabench) {
  const auto& name = row.at(milabench ? "bench" : "model");
  const auto& said = row.at("precision");
  const bool half = has(milabench ? name : said, "fp16") || (milabench && name.starts_with("resnet"));
  const auto precision = half ? Precision::kAmpFp16 : has(milabench ? name : said, "fp32") && milabench ? Precision::kFp32 : Precision::kTf32;
  if (name == "resnet50" || name == "resnet50-noio") return image_request("resnet50", 224, precision);
  if (name.starts_with("convnext_large")) return image_request("convnext_large", 224, precision);
  if (name == "bert_base_squad") return bert("bert-base", 384, precision, Attention::kEager);
  if (name == "bert_large_squad") return bert("bert-large", 384, precision, Attention::kEager);
  if (milabench && name.starts_with("bert")) return bert("bert-base", 512, precision, Attention::kFlash);
  return std::nullopt;
}

// One row per card, model and precision: the median of its batches.
int cards_speed(const std::string& folder, const EstimatorTables& tables) {
  std::map<std::string, std::vector<std::pair<double, double>>> runs;  // card|run → published, foretold
  for (const bool milabench : {false, true}) {
    for (const auto& row : read_csv(folder + (milabench ? "/milabench.csv" : "/lambda_train_throughput.csv"))) {
      if (milabench ? row.at("suspect") == "1" || has(row.at("card"), "sizes") : row.at("gpus") != "1") continue;
      const double seen = number(row, milabench ? "perf_samples_per_s" : "throughput_total");
      const double batch = number(row, milabench ? "batch" : "batch_per_gpu");
      const auto request = named_run(row, milabench);
      const auto card = find_gpu(tables.gpus, row.at("card"));
      if (!request || !card || !(seen > 0) || batch < (milabench ? 32 : 1)) continue;
      const auto work = work_for(*request, tables);
      const auto speed = work ? speed_on(*card, *work, batch) : std::nullopt;
      if (!speed) continue;
      runs[card->name + "|" + row.at(milabench ? "bench" : "model") + " " + row.at("precision")].emplace_back(seen, speed->samples_per_second);
    }
  }
  std::map<std::string, Pairs> cards;
  Pairs all;
  for (auto& [name, points] : runs) {
    std::sort(points.begin(), points.end());
    const auto& [seen, told] = points[points.size() / 2];
    cards[name.substr(0, name.find('|'))].add(told, seen, name);
    all.add(told, seen, name);
    std::printf("  %-64s %8.0f foretold %8.0f  (%+.0f %%)\n", name.c_str(), seen, told, 100 * (told / seen - 1));
  }
  std::puts("lambda_train_throughput.csv and milabench.csv: one GPU; resnet50, convnext_large and BERT, the median batch of each");
  for (const auto& [card, pairs] : cards) pairs.print(card);
  all.print("all");
  const bool met = all.within(0.3) >= 0.8 && all.rank_correlation() >= 0.9;
  std::printf("%s other cards: within 30 %% of %.1f %% (at least 80 %%), rank correlation %.3f (at least 0.9)\n\n", met ? "ok    " : "MISSED",
              100 * all.within(0.3), all.rank_correlation());
  return met ? 0 : 1;
}

// The batch that ran is said to fit and the next is said not to; outside the band only counts as wrong when it contradicts.
int fit24(const std::string& folder, const EstimatorTables& tables) {
  constexpr double kOldContext = 650.0 * 1024 * 1024;  // before torch 1.13 all kernels were loaded at once
  int brackets = 0, strict = 0, agree = 0;
  for (const auto& row : read_csv(folder + "/timm_train_fit24gb.csv")) {
    const auto& model = row.at("model");
    if (!is_counted(model, tables) || !(number(row, "batch_failed") > 0)) continue;
    auto request = image_request(model, number(row, "img_size"), Precision::kAmpFp16);
    request.attention = Attention::kEager;  // torch had no other
    const auto setup = training_setup(request, tables.models);
    if (!setup) continue;
    auto memory = analytic_model(*setup);
    memory.fixed.overhead += kOldContext;
    const double card = 24.0 * 1024 * 1024 * 1024;
    const auto total = [&](const char* name) {
      return static_cast<double>(memory_at(memory, static_cast<std::uint64_t>(number(row, name))).total.value());
    };
    const double ran = total("batch_fits");
    const double failed = total("batch_failed");
    ++brackets;
    if (ran <= card && failed > card) ++strict;
    if (ran * (1 - memory.error) <= card && failed * (1 + memory.error) > card) ++agree;
  }
  const double share = brackets == 0 ? 0 : static_cast<double>(agree) / brackets;
  std::printf("timm_train_fit24gb.csv: of %d brackets the estimate itself agrees with %.1f %%\n", brackets, brackets == 0 ? 0 : 100.0 * strict / brackets);
  std::printf("%s no contradiction outside the band: %.1f %% (at least 90 %%)\n", share >= 0.9 ? "ok    " : "MISSED", 100 * share);
  return share >= 0.9 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "../shared/data";
  const auto tables = load_estimator_tables([](std::string_view) { return std::optional<std::string>{}; });
  for (const auto& problem : tables.problems) std::fprintf(stderr, "%s\n", to_string(problem).c_str());
  const int missed = timm_speed(folder, tables, argc > 2) + cards_speed(folder, tables) + fit24(folder, tables);
  return missed == 0 ? 0 : 1;
}
