#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/report/estimate.hpp"
#include "report/cards_text.hpp"
#include "report/rehearsal_text.hpp"

namespace gputop {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string band(double error) {
  return "± " + format_number(100 * error, error < 0.1 ? 1 : 0) + " %";
}

std::string percent(double value) {
  return format_number(value, 0) + " %";
}

// Within the margin, whatever it does to the effective batch.
std::uint64_t most_batch(const Estimate& estimate) {
  auto most = estimate.best->batch;
  for (const auto& choice : estimate.alternatives)
    if (choice.name == "largest") most = choice.batch;
  return most;
}

// The answer in one line: whether it fits, the number, its band, the largest batch.
std::string headline(const Estimate& estimate, const CardComparison& cards) {
  if (!estimate.stated) return {};
  const auto& memory = *estimate.stated;
  const auto verdict = fit_verdict(estimate);
  const auto* rehearsal = estimate.rehearsal ? &*estimate.rehearsal : nullptr;
  const auto total = rehearsal ? rehearsal->memory.peak_reserved + rehearsal->context : memory.total;
  std::string text = verdict == FitVerdict::kUnknown ? "" : std::string{to_string(verdict)} + ": ";
  text += format_bytes(total) + " " + band(rehearsal ? estimate.model.error : memory.error);
  const bool batch = !rehearsal || rehearsal->batch;
  if (batch) text += " at batch " + std::to_string(memory.batch);
  if (cards.several) return text + (cards.needed.empty() ? ": none of these cards holds it, not even sharded" : ": needs " + cards.needed) + "\n";
  if (!estimate.gpu) return text + "\n";
  text += ", " + percent(total / estimate.gpu->memory * 100) + " of " + printable(estimate.gpu->name);
  if (memory_verdict(estimate).find("underused") != std::string::npos) text += " (underused)";
  if (!batch) return text + "\n";
  if (!estimate.best) return text + "; no batch fits the margin\n";
  const auto most = most_batch(estimate);
  text += "; largest batch " + std::to_string(most);
  if (most != estimate.best->batch) text += " (recommended: " + std::to_string(estimate.best->batch) + ")";
  return text + "\n";
}

std::string memory_section(const Estimate& estimate) {
  if (!estimate.stated) return {};
  const auto& memory = *estimate.stated;
  const bool no_batch = estimate.rehearsal && !estimate.rehearsal->batch;
  std::string text = no_batch ? "memory\n" : "memory at batch " + std::to_string(memory.batch) + "\n";
  Rows rows;
  if (memory.parts) {
    const auto& parts = *memory.parts;
    rows = {{"  parameters", format_bytes(parts.parameters)}, {"  gradients", format_bytes(parts.gradients)},
            {"  optimizer", format_bytes(parts.optimizer)},   {"  activations", format_bytes(parts.activations)},
            {"  batch data", format_bytes(parts.batch)},      {"  overhead", format_bytes(parts.overhead)}};
  }
  std::string total = format_bytes(memory.total) + "  " + band(memory.error);
  if (estimate.gpu)
    total += ", " + percent(memory.total / estimate.gpu->memory * 100) + " of " + format_bytes(estimate.gpu->memory);
  if (memory.peak != PeakPhase::kForwardBackward) {
    total += ", peak in the " + std::string{memory.peak == PeakPhase::kOptimizerStep ? "optimizer step" : "validation"};
  }
  for (const auto& row : rows) {
    std::string label = row[0];
    label.resize(16, ' ');
    text += label + row[1] + "\n";
  }
  text += "  total         " + total + "\n";
  const auto verdict = memory_verdict(estimate);
  return verdict.empty() ? text : text + "  " + verdict + "\n";
}

std::string speed_words(const Estimate& estimate, const BatchChoice& choice) {
  const auto range = speed_of(estimate, choice);
  if (!range) return std::string{kUnknownText};
  const auto low = format_number(range->low, 1);
  const auto high = format_number(range->high, 1);
  return "×" + (low == high ? low : low + "–" + high);
}

std::vector<std::string> choice_row(const Estimate& estimate, const BatchChoice& choice) {
  return {"  " + choice.name,
          std::to_string(choice.batch) + " × " + std::to_string(choice.accumulation),
          format_bytes(choice.memory.total),
          percent(choice.memory_percent),
          band(choice.memory.error),
          speed_words(estimate, choice),
          choice.note};
}

std::string choices_section(const Estimate& estimate) {
  if (!estimate.gpu) return {};
  const auto& limits = estimate.limits;
  const auto size = format_bytes(limits.memory);
  std::string text =
      estimate.gpu->name == size ? "\nGPU with " + size : "\nGPU " + printable(estimate.gpu->name) + ": " + size;
  if (limits.free < limits.memory) text += ", " + format_bytes(limits.free) + " of it free for this run";
  text += "; up to " + percent(100 * limits.margin) + " of that is " + format_bytes(budget(limits)) + "\n";
  if (estimate.best) {
    const auto& best = *estimate.best;
    text += "best: batch " + std::to_string(best.batch) + " × " + std::to_string(best.accumulation) +
            " accumulation = " + std::to_string(best.batch * best.accumulation) + " effective, " +
            format_bytes(best.memory.total) + " (" + percent(best.memory_percent) + ")" +
            (best.note.empty() ? "" : ", " + best.note) + "\n";
  } else {
    text += "best: none\n";
  }
  Rows rows;
  if (!estimate.alternatives.empty()) rows.push_back({"  choice", "batch", "memory", "of GPU", "error", "speed", ""});
  for (const auto& choice : estimate.alternatives) rows.push_back(choice_row(estimate, choice));
  text += aligned(rows);
  if (limits.current_batch && !rows.empty()) {
    text += "  speed: against batch " + std::to_string(*limits.current_batch) +
            (limits.knee ? ", by the speed that was measured\n"
                         : ": nothing where the GPU is busy already, in proportion where it waits\n");
  }
  return text;
}

std::string models_section(const Estimate& estimate) {
  if (estimate.models.empty()) return {};
  Rows rows;
  for (const auto& choice : estimate.models) {
    rows.push_back({"  " + choice.name, format_bytes(choice.memory.total), percent(choice.memory_percent),
                    band(choice.memory.error), choice.note});
  }
  return "\nlarger and smaller models at batch " + std::to_string(estimate.models.front().batch) +
         " (more can be learned; slower per batch, perhaps more dropout or weight decay)\n" + aligned(rows);
}

std::string steps_section(const Estimate& estimate) {
  if (estimate.steps.size() < 2) return {};
  std::string text = "go there in steps, since each is measured:";
  for (const auto& step : estimate.steps)
    text += " → " + std::to_string(step.batch) + " (" + format_bytes(step.memory.total) + " " +
            band(step.memory.error) + ")";
  return text + "\n";
}

std::string stages_section(const Estimate& estimate) {
  if (estimate.stages.empty()) return {};
  Rows rows{{"  stage", "batch", "memory", "error", "largest", "memory", "of GPU"}};
  for (const auto& stage : estimate.stages) {
    const std::string unknown{kUnknownText};
    rows.push_back({"  " + printable(stage.name), stage.batch ? std::to_string(*stage.batch) : unknown,
                    stage.memory ? format_bytes(stage.memory->total) : unknown,
                    stage.memory ? band(stage.memory->error) : unknown,
                    stage.best ? std::to_string(stage.best->batch) : unknown,
                    stage.best ? format_bytes(stage.best->memory.total) : unknown,
                    stage.best ? percent(stage.best->memory_percent) : unknown});
  }
  std::string text = "\nstages: one batch must fit them all\n" + aligned(rows);
  for (const auto& stage : estimate.stages) {
    if (stage.room.empty() || !estimate.best) continue;
    const auto batch = estimate.steps.empty() ? estimate.best->batch : estimate.steps.front().batch;
    text +=
        "  stage " + printable(stage.name) + " has room at batch " + std::to_string(batch) + ": " + stage.room + "\n";
  }
  return text;
}

}  // namespace

std::string aligned(const Rows& rows) {
  std::vector<std::size_t> widths;
  const auto width = [](const std::string& cell) {  // every cell is printable text of narrow characters
    return static_cast<std::size_t>(std::count_if(
        cell.begin(), cell.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
  };
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line.append(widths[i] - width(row[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string estimate_text(const Estimate& estimate, const CardComparison& cards) {
  std::string text = headline(estimate, cards) + (estimate.rehearsal ? rehearsal_headline(estimate) : "");
  text += "level " + std::string{to_string(estimate.model.level)} + ": " + estimate.model.why + "\n";
  text += cards_text(cards) + (cards.several ? "\n" : "");
  text += memory_section(estimate) + choices_section(estimate) + steps_section(estimate) + models_section(estimate) +
          stages_section(estimate);
  if (estimate.rehearsal) text += rehearsal_text(estimate);
  for (const auto& note : estimate.notes) text += "note: " + note + "\n";
  return text;
}

}  // namespace gputop
