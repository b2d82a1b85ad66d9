// gpus.yaml: see estimator_tables.hpp.
#include <array>

#include "config/entry_fields.hpp"
#include "gputop/config/estimator_tables.hpp"

namespace gputop {
namespace {

FieldComplaint read_memory(const YamlTree& value, GpuCard& card) {
  const auto gib = parse_count(value.scalar);
  if (!gib || !(*gib > 0) || *gib > 1e6) return shown_value(value) + " is not a memory in GiB (try 24)";
  card.memory = Bytes{static_cast<std::uint64_t>(*gib * static_cast<double>(1ULL << 30U))};
  return std::nullopt;
}

FieldComplaint read_capability(const YamlTree& value, GpuCard& card) {
  const auto& text = value.scalar;
  const auto dot = text.find('.');
  ComputeCapability capability;
  const auto number = [](std::string_view digits, int& into) {
    const auto [stop, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), into);
    return failure == std::errc{} && stop == digits.data() + digits.size();
  };
  if (dot == std::string::npos || !number(std::string_view{text}.substr(0, dot), capability.major) ||
      !number(std::string_view{text}.substr(dot + 1), capability.minor)) {
    return shown_value(value) + " is not a compute capability (try \"8.6\")";
  }
  card.capability = capability;
  return std::nullopt;
}

constexpr std::array kFields{
    EntryField<GpuCard>{"memory", read_memory},
    EntryField<GpuCard>{"compute", read_capability},
    EntryField<GpuCard>{"bandwidth", read_amount<&GpuCard::bandwidth, GpuCard>},
    EntryField<GpuCard>{"tdp", read_amount<&GpuCard::power, GpuCard>},
    EntryField<GpuCard>{"peak_fp32", read_amount<&GpuCard::peak_fp32, GpuCard>},
    EntryField<GpuCard>{"peak_tf32", read_amount<&GpuCard::peak_tf32, GpuCard>},
    EntryField<GpuCard>{"peak_fp16", read_amount<&GpuCard::peak_fp16, GpuCard>},
    EntryField<GpuCard>{"peak_bf16", read_amount<&GpuCard::peak_bf16, GpuCard>},
    EntryField<GpuCard>{"tf32", read_flag<&GpuCard::tf32, GpuCard>},
    EntryField<GpuCard>{"bf16", read_flag<&GpuCard::bf16, GpuCard>},
};

}  // namespace

CardsKnown::Card known_card(const GpuTable& table, unsigned gpu, std::string_view name) {
  CardsKnown::Card known{.gpu = gpu};
  const auto card = find_gpu(table, name);
  if (!card) return known;
  known.kind = card->name;
  const auto set = [](Reading<double>& into, double value, double unit) {
    if (value > 0) into = value * unit;
  };
  set(known.nominal.gpu_memory, card->bandwidth, 1e9);
  set(known.nominal.fp32, card->peak_fp32, 1e12);
  set(known.nominal.tf32, card->peak_tf32, 1e12);
  set(known.nominal.fp16, card->peak_fp16, 1e12);
  set(known.nominal.bf16, card->peak_bf16, 1e12);
  return known;
}

std::vector<Problem> read_gpus(std::string_view text, std::string_view file, GpuTable& table) {
  const auto [tree, problem] = read_yaml_tree(text, file);
  if (problem) return {*problem};
  std::vector<Problem> problems;
  for (const auto& [name, entry] : tree.pairs) {
    auto card = read_entry<GpuCard>(name, entry, kFields, file, problems);
    if (card.memory == Bytes{}) {
      problems.push_back({std::string{file}, entry.line, printable(name) + ": has no memory (try memory: 24)"});
      continue;
    }
    replace_entry(table.cards, std::move(card));
  }
  return problems;
}

}  // namespace gputop
