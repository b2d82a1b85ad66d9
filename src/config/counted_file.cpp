// counted.csv: see estimator_tables.hpp. One model per line, made by scripts/count-models; lines with # say how.
#include <algorithm>
#include <array>
#include <map>

#include "gputop/config/estimator_tables.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/parse.hpp"
#include "gputop/core/scan.hpp"

namespace gputop {
namespace {

constexpr double kKilo = 1e3;
constexpr double kMega = 1e6;
constexpr std::size_t kNumbers = 10;

std::string_view next_cell(std::string_view& line) {
  const auto cell = slice(line, 0, line.find(','));
  skip_front(line, cell.size() + 1);
  return cell;
}

// name,size,params,saved_half,saved_single,saved_eager (kB),dense,grouped (Mflop),bytes,scattered (kB),kernels
std::optional<NamedModel> read_line(std::string_view line) {
  NamedModel model;
  model.name = std::string{next_cell(line)};
  std::array<double, kNumbers> numbers{};
  for (auto& number : numbers) {
    const auto value = parse_count(next_cell(line));
    if (!value) return std::nullopt;
    number = *value;
  }
  const auto& [size, params, half, single, eager, dense, grouped, bytes, scattered, kernels] = numbers;
  if (model.name.empty() || !line.empty() || !(size > 0) || !(params > 0) || !(half > 0) || !(single > 0)) return std::nullopt;
  model.params = params;
  model.width = model.height = size;
  model.bytes_per_pixel = single * kKilo / (size * size);
  model.half_ratio = half / single;
  model.counted = CountedStep{.size = size,
                              .saved_half = half * kKilo,
                              .saved_single = single * kKilo,
                              .saved_eager = eager * kKilo,
                              .dense_flops = dense * kMega,
                              .grouped_flops = grouped * kMega,
                              .bytes = bytes * kKilo,
                              .scattered_bytes = scattered * kKilo,
                              .kernels = kernels};
  return model;
}

std::string spelled(std::string_view name) {
  std::string text{name};
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

// An entry of that name takes the counts; one that only has it as an alias is a relative, and loses the alias.
void add(NamedModel counted, const std::map<std::string, std::size_t, std::less<>>& places, std::vector<NamedModel>& models) {
  const auto name = spelled(counted.name);
  const auto place = places.find(name);
  if (place == places.end()) return models.push_back(std::move(counted));
  auto& known = models[place->second];
  if (spelled(known.name) != name || known.family != ModelFamily::kCnn) {
    std::erase_if(known.aliases, [&](const std::string& alias) { return spelled(alias) == name; });
    if (spelled(known.name) != name) models.push_back(std::move(counted));
    return;
  }
  known.params = counted.params;
  known.width = known.height = counted.width;
  known.bytes_per_pixel = counted.bytes_per_pixel;
  known.half_ratio = counted.half_ratio;
  known.counted = counted.counted;
}

}  // namespace

std::vector<Problem> read_counted(std::string_view text, std::string_view file, ModelTable& table) {
  std::vector<Problem> problems;
  std::map<std::string, std::size_t, std::less<>> places;
  for (std::size_t i = 0; i < table.models.size(); ++i) {
    places.emplace(spelled(table.models[i].name), i);
    for (const auto& alias : table.models[i].aliases) places.emplace(spelled(alias), i);
  }
  for (int number = 1; !text.empty(); ++number) {
    const auto line = slice(text, 0, text.find('\n'));
    skip_front(text, line.size() + 1);
    if (line.empty() || first_char(line) == '#') continue;
    if (auto model = read_line(line)) add(*std::move(model), places, table.models);
    else problems.push_back({std::string{file}, number, printable(line) + " is not a name and ten numbers"});
  }
  return problems;
}

}  // namespace gputop
