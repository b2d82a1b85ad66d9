// Where a file's imports may lie: see run_code.hpp.
#include <algorithm>

#include "gputop/core/scan.hpp"
#include "gputop/knobs/document.hpp"
#include "gputop/knobs/run_code.hpp"
#include "knobs/paths.hpp"
#include "knobs/python_mentions.hpp"

namespace gputop::knobs {
namespace {

class Modules {
 public:
  explicit Modules(const std::string& file) : file_(file) {}

  // "package.module" seen from the file's folder, from the folder above it (tools/train.py) and from the run's own.
  void absolute(std::string_view module) {
    std::string path{module};
    std::replace(path.begin(), path.end(), '.', '/');
    for (const auto& root : {beside(file_, path), beside(file_, "../" + path), path}) at(root);
    // A project that was moved out of a larger one: its scripts still lie beside each other.
    if (const auto slash = path.rfind('/'); slash != path.npos) at(beside(file_, slice(path, slash + 1)));
  }
  void at(const std::string& path) {
    for (const auto& each : {path + ".py", path + "/__init__.py"}) {
      if (auto plain = lexical(each); std::find(paths_.begin(), paths_.end(), plain) == paths_.end()) {
        paths_.push_back(std::move(plain));
      }
    }
  }
  void relative(std::string_view module) {
    skip_front(module, 1);
    std::string path;
    for (; module.starts_with('.'); skip_front(module, 1)) path += "../";
    for (const char c : module) path += c == '.' ? '/' : c;
    at(beside(file_, path.empty() ? "__init__" : path));
  }

  std::vector<std::string> take() { return std::move(paths_); }

 private:
  const std::string& file_;
  std::vector<std::string> paths_;
};

}  // namespace

std::vector<std::string> modules_of(const std::string& file, std::string_view text) {
  Modules modules{file};
  if (format_of(file) == Format::kPython) {
    for (const auto& import : python_mentions(text).imports) {
      const bool dotted = import.module.starts_with('.');
      const auto add = [&](const std::string& module) { dotted ? modules.relative(module) : modules.absolute(module); };
      if (import.module != ".") add(import.module);
      for (const auto& name : import.names) add(import.module.ends_with('.') ? import.module + name : import.module + "." + name);
    }
    return modules.take();
  }
  for (const std::string_view key : {"_target_:", "class_path:"}) {
    for (auto at = text.find(key); at != text.npos; at = text.find(key, at + key.size())) {
      auto name = slice(text, at + key.size(), text.find('\n', at) - at - key.size());
      skip_front(name, name.find_first_not_of(" \"'"));
      name = slice(name, 0, name.find_first_of(" \"'#,}\r"));
      if (const auto dot = name.rfind('.'); dot != name.npos) modules.absolute(slice(name, 0, dot));
    }
  }
  return modules.take();
}

}  // namespace gputop::knobs
