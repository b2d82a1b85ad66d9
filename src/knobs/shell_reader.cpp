// A shell script that starts a run: every word that could be a value, with its bytes. See shell_words.hpp.
#include "gputop/core/scan.hpp"
#include "knobs/command_words.hpp"
#include "knobs/readers.hpp"
#include "knobs/shell_words.hpp"

namespace gputop::knobs {

Result<Document> read_shell(std::string_view text) {
  Document document;
  for (const auto& command : shell_commands(text)) {
    std::string flag;
    std::size_t number = 0;
    for (const auto& word : command) {
      ++document.units;
      const ShellValue value = shell_value(word);
      const bool is_value = !value.name.empty() || !is_flag(word.text);
      const std::string own = flag.empty() ? "[" + std::to_string(number++) + "]" : flag;
      flag = is_value ? "" : std::string{word.text};
      if (!is_value) continue;
      Entry entry{.path = {value.name.empty() ? own : std::string{value.name}},
                  .value = read_scalar(slice(text, value.begin, value.end - value.begin), Dialect::kWords),
                  .begin = value.begin,
                  .end = value.end,
                  .line = word.line,
                  .quoted = value.quoted};
      if (!value.literal) entry.fixed = "an expression that the shell works out";
      document.entries.push_back(std::move(entry));
    }
  }
  return document;
}

}  // namespace gputop::knobs
