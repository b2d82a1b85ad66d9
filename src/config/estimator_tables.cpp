// Loading both tables: see estimator_tables.hpp.
#include "gputop/config/estimator_tables.hpp"

#include <filesystem>

#include "config/yaml_document.hpp"
#include "gputop/config/assets.hpp"
#include "gputop/config/text_file.hpp"

namespace gputop {
namespace {

template <class Table>
void load(std::vector<Problem> (*read)(std::string_view, std::string_view, Table&),
          const char* name,
          const std::filesystem::path& user_directory,
          Table& table,
          std::vector<Problem>& problems) {
  const auto keep = [&](std::vector<Problem> found) { problems.insert(problems.end(), found.begin(), found.end()); };
  if (const auto text = asset("configs/" + std::string{name})) keep(read(*text, name, table));
  if (user_directory.empty()) return;
  const auto path = user_directory / name;
  const auto text = read_text_file(path, kLargestYaml);
  if (text) return keep(read(*text, path.string(), table));
  if (text.error().kind != Error::Kind::kNotFound) problems.push_back({path.string(), 0, text.error().message});
}

// The counts belong to the built-in table; an entry of the user's comes after them and wins.
std::vector<Problem> read_models_and_counts(std::string_view text, std::string_view file, ModelTable& table) {
  const bool first = table.models.empty();
  auto problems = read_models(text, file, table);
  const auto counts = first ? asset("configs/counted.csv") : std::nullopt;
  if (!counts) return problems;
  const auto wrong = read_counted(*counts, "counted.csv", table);
  problems.insert(problems.end(), wrong.begin(), wrong.end());
  return problems;
}

}  // namespace

EstimatorTables load_estimator_tables(const Environment& environment) {
  EstimatorTables tables;
  const auto directory = config_directory(environment);
  load(&read_models_and_counts, "models.yaml", directory, tables.models, tables.problems);
  load(&read_gpus, "gpus.yaml", directory, tables.gpus, tables.problems);
  return tables;
}

}  // namespace gputop
