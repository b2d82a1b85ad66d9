// Reading training configurations: see training_file.hpp.
#include "gputop/config/training_file.hpp"

#include <algorithm>
#include <map>

#include "config/estimate_section.hpp"
#include "config/stage_paths.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/parse.hpp"

namespace gputop {
namespace {

using knobs::Candidate;
using knobs::Place;

std::string shown_name(const knobs::Knob& knob) {
  return knob.estimate.empty() ? knob.name : knob.estimate;
}

struct Row {
  const Candidate* candidate;
  std::string text;  // as the estimator reads it; lists as "a,b"
  std::string stage; // "": the whole run's
  bool used = false;
};

class TrainingReader {
 public:
  TrainingReader(const knobs::KnobTable& table,
                 const knobs::Found& found,
                 std::span<const knobs::SourceFile> files,
                 bool stage_files)
      : table_(table), found_(found), stage_files_(stage_files) {
    for (const auto& file : files) {
      const auto format = knobs::format_of(file.path);
      if (!format || !file.text) continue;
      if (auto document = knobs::read_document(*format, *file.text)) documents_.emplace(file.path, *std::move(document));
    }
  }

  TrainingFile read() {
    for (const auto& [path, document] : documents_) {
      TrainingFile own;
      if (read_estimate_section(document, path, own)) {
        result_ = std::move(own);
        result_.has_section = true;
      }
    }
    for (const auto& problem : found_.problems) result_.problems.push_back({"", 0, problem});
    collect();
    EstimateRequest request;
    for (const auto& knob : table_.knobs) fill(knob, "", request);
    precision_by_tf32(request);
    accumulation_by_global(request);
    read_stages();
    if (stage_files_ && !stages_.empty()) {  // each file is complete: the first one also gives the run's values
      for (const auto& knob : table_.knobs) fill(knob, stages_.front().id, request);
    }
    if (result_.has_section) {  // the section omits what is at its usual place
      if (!result_.request.batch) result_.request.batch = request.batch;
      if (!result_.request.accumulation) result_.request.accumulation = request.accumulation;
      if (!result_.request.precision) result_.request.precision = request.precision;
      if (!result_.request.world) result_.request.world = request.world;
    } else {
      if (!request.world && found_.reading.ranks) request.world = static_cast<unsigned>(*found_.reading.ranks);
      result_.request = std::move(request);
    }
    show();
    return std::move(result_);
  }

 private:
  // Items of a list are one value: crop_size: [512, 1024].
  void collect() {
    for (const auto& candidate : found_.candidates) {
      if (!is_there(candidate) || candidate.overrides) continue;
      if (candidate.place.kind == Place::Kind::kEnvironment && candidate.knob != "threads") continue;
      const auto& path = candidate.place.path;
      const bool item = !path.empty() && path.back().starts_with('[') && path.back() != "[present]";
      const std::string text = knobs::to_text(candidate.value);
      const auto list = item ? std::find_if(rows_.begin(), rows_.end(),
                                            [&](const Row& row) { return is_same_list(*row.candidate, candidate); })
                             : rows_.end();
      if (list != rows_.end()) {
        list->text += "," + text;
      } else {
        rows_.push_back({&candidate, text, stage_name(candidate), false});
      }
    }
  }
  static bool is_same_list(const Candidate& a, const Candidate& b) {
    const auto& x = a.place.path;
    const auto& y = b.place.path;
    return a.knob == b.knob && a.place.file == b.place.file && x.size() == y.size() && !x.empty() &&
           std::equal(x.begin(), x.end() - 1, y.begin());
  }

  std::string stage_name(const Candidate& candidate) {
    if (candidate.place.kind != Place::Kind::kFile) return {};
    const auto document = documents_.find(candidate.place.file);
    if (document == documents_.end()) return {};
    std::optional<StagePath> stage;
    if (stage_files_) {
      const auto slash = candidate.place.file.rfind('/');
      const std::string name = candidate.place.file.substr(slash == std::string::npos ? 0 : slash + 1);
      stage = StagePath{candidate.place.file, name.substr(0, name.rfind('.'))};
    } else {
      stage = stage_of(candidate.place.path, document->second);
    }
    if (!stage) return {};
    const auto known = std::find_if(stages_.begin(), stages_.end(), [&](const auto& each) { return each.id == stage->id; });
    if (known == stages_.end()) stages_.push_back(*stage);
    return stage->id;
  }

  // The most likely place with a value the estimator understands. Words that mean nothing to it ("auto", a path,
  // "${data.batch}") are shown without a complaint; another place may say more.
  void fill(const knobs::Knob& knob, const std::string& stage, EstimateRequest& request) {
    const auto* key = knob.estimate.empty() ? nullptr : find_request_key(knob.estimate);
    std::vector<Row*> rows;
    for (auto& row : rows_) {
      if (row.candidate->knob == knob.name && row.stage == stage) rows.push_back(&row);
    }
    if (rows.empty()) return;
    if (knob.name == "precision") prefer_what_is_on(rows);
    for (auto* row : rows) {
      if (key == nullptr || key->read(row->text, request)) continue;
      row->used = true;
      return;
    }
    const auto& first = *rows.front()->candidate;
    const auto* word = std::get_if<std::string>(&first.found);
    const bool literal = word != nullptr && *word != "auto" && word->find_first_of("$,{<*?") == std::string::npos;
    if (knob.name == "batch_size" && literal && first.place.kind == Place::Kind::kFile) {
      result_.problems.push_back(
          {first.place.file, first.place.line, first.place.key + ": \"" + printable(*word) + "\" is not a batch size"});
    }
  }

  // fp16: false next to bf16: true, amp: true next to amp_dtype: bfloat16.
  static void prefer_what_is_on(std::vector<Row*>& rows) {
    const auto rank = [&](const Row* row) {
      const bool off = row->candidate->found == knobs::Value{false};
      const bool fellow = row->candidate->place.file == rows.front()->candidate->place.file;
      return !fellow ? 3 : off ? 2 : is_detail(row->candidate->match) ? 1 : 0;
    };
    const Row* first = rows.front();
    const auto is_amp = [](const Row* row) { return row->candidate->found == knobs::Value{true}; };
    const bool on = std::any_of(rows.begin(), rows.end(), is_amp);
    const auto detail = std::find_if(rows.begin(), rows.end(), [&](const Row* row) {
      return is_detail(row->candidate->match) && row->candidate->place.file == first->candidate->place.file;
    });
    if (on && detail != rows.end()) std::rotate(rows.begin(), detail, detail + 1);
    else std::stable_sort(rows.begin(), rows.end(), [&](const Row* a, const Row* b) { return rank(a) < rank(b); });
  }

  void precision_by_tf32(EstimateRequest& request) {
    if (request.precision && *request.precision != Precision::kFp32) return;
    for (auto& row : rows_) {
      if (row.candidate->knob != "tf32" || !row.stage.empty() || row.candidate->value != knobs::Value{true}) continue;
      request.precision = Precision::kTf32;
      row.used = true;
    }
  }

  // The framework accumulates as often as needed to fill the global batch.
  void accumulation_by_global(EstimateRequest& request) {
    const auto global = count_of("global_batch_size", "");
    if (!global || request.accumulation || !request.batch || *request.batch == 0) return;
    const auto each = *request.batch * std::max<std::uint64_t>(1, found_.reading.ranks.value_or(1));
    if (*global < each || *global % each != 0) return;
    request.accumulation = *global / each;
    const auto row = std::find_if(rows_.begin(), rows_.end(),
                                  [](const Row& one) { return one.candidate->knob == "global_batch_size"; });
    row->used = true;
  }

  [[nodiscard]] std::optional<std::uint64_t> count_of(std::string_view knob, const std::string& stage) const {
    const auto row = std::find_if(rows_.begin(), rows_.end(),
                                  [&](const Row& each) { return each.candidate->knob == knob && each.stage == stage; });
    const auto count = row == rows_.end() ? Result<double>{-1.0} : parse_count(row->text);
    return count && *count >= 0 ? std::optional{static_cast<std::uint64_t>(*count)} : std::nullopt;
  }

  [[nodiscard]] std::optional<double> samples_of(const std::string& stage) const {
    const auto positives = count_of("positives", stage);
    const auto negatives = count_of("negatives", stage);
    if (!positives && !negatives) return std::nullopt;
    return 1 + static_cast<double>(positives.value_or(0) + negatives.value_or(0));
  }

  void read_stages() {
    std::sort(stages_.begin(), stages_.end(), [&](const StagePath& a, const StagePath& b) { return order(a) < order(b); });
    std::vector<StageRequest> stages;
    std::vector<double> samples;
    for (const auto& stage : stages_) {
      StageRequest row;
      row.name = printable(stage.name);
      for (const auto& knob : table_.knobs) fill(knob, stage.id, row.changes);
      precision_by_tf32(row.changes);
      samples.push_back(samples_of(stage.id).value_or(0));
      row.positives = count_of("positives", stage.id);
      row.negatives = count_of("negatives", stage.id);
      stages.push_back(std::move(row));
    }
    // Items in a sample (an anchor with its positives and negatives), against the unit of the file's figures.
    const double base =
        samples_of("").value_or(samples.empty() ? 0 : *std::max_element(samples.begin(), samples.end()));
    for (std::size_t i = 0; base > 0 && i < samples.size(); ++i) {
      if (samples[i] > 0) stages[i].sample_factor = samples[i] / base;
    }
    if (result_.stages.empty()) result_.stages = std::move(stages);
  }
  [[nodiscard]] std::pair<std::string, int> order(const StagePath& stage) const {
    for (const auto& row : rows_) {
      if (row.stage == stage.id) return {row.candidate->place.file, first_line(stage)};
    }
    return {};
  }
  [[nodiscard]] int first_line(const StagePath& stage) const {
    int line = 0;
    for (const auto& row : rows_) {
      if (row.stage == stage.id && (line == 0 || row.candidate->place.line < line)) line = row.candidate->place.line;
    }
    return line;
  }

  // In the order of the files.
  void show() {
    std::vector<FoundSetting> settings;
    for (const auto& row : rows_) {
      const auto& place = row.candidate->place;
      const std::string value = row.text.find(',') != std::string::npos ? row.text : knobs::to_text(row.candidate->found);
      settings.push_back({shown_name(*row.candidate->match.knob), place.key, value, place.line, row.used, place.file});
    }
    std::stable_sort(settings.begin(), settings.end(), [](const FoundSetting& a, const FoundSetting& b) {
      return std::pair{a.file, a.line} < std::pair{b.file, b.line};
    });
    result_.settings.insert(result_.settings.end(), settings.begin(), settings.end());
  }

  const knobs::KnobTable& table_;
  const knobs::Found& found_;
  bool stage_files_;
  std::map<std::string, knobs::Document> documents_;
  std::vector<Row> rows_;
  std::vector<StagePath> stages_;
  TrainingFile result_;
};

}  // namespace

TrainingFile read_training(const knobs::KnobTable& table,
                           const knobs::Found& found,
                           std::span<const knobs::SourceFile> files,
                           bool stage_files) {
  return TrainingReader{table, found, files, stage_files}.read();
}

TrainingFile parse_training_file(std::string_view text, std::string_view file, const knobs::KnobTable& table) {
  const std::string path{file};
  const auto document = knobs::read_document(knobs::format_of(path).value_or(knobs::Format::kYaml), text);
  TrainingFile wrong;
  if (!document) {
    wrong.problems.push_back({path, 0, document.error().message});
    return wrong;
  }
  const bool mapping = std::all_of(document->entries.begin(), document->entries.end(), [](const knobs::Entry& entry) {
    return !entry.path.empty() && !entry.path.front().starts_with('[');
  });
  if (!mapping) {
    wrong.problems.push_back({path, 1, "is not a training configuration (a file of \"key: value\")"});
    return wrong;
  }
  const std::vector<knobs::SourceFile> files{{path, std::string{text}}};
  const auto found = knobs::find_knobs(table, {.argv = {"gputop", "--config", path}, .environment = {}}, files, {});
  return read_training(table, found, files, false);
}

}  // namespace gputop
