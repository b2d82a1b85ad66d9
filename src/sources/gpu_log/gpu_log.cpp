#include "gputop/sources/gpu_log.hpp"

namespace gputop {

Result<SmiLog> parse_gpu_log(std::string_view text, std::string_view file, const std::vector<std::string>& columns) {
  const auto begin = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (begin == std::string_view::npos) return Error{Error::Kind::kInvalid, std::string{file} + ": is empty"};
  if (text[begin] == '{' || text[begin] == '[') return parse_gpustat_log(text, file);
  if (text[begin] == '#') return parse_dmon_log(text, file);
  return parse_smi_log(text, file, columns);
}

}  // namespace gputop
