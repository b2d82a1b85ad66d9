#include "knobs/run_files.hpp"

#include <algorithm>
#include <set>

#include "gputop/core/scan.hpp"
#include "knobs/bases.hpp"
#include "knobs/hydra_groups.hpp"
#include "knobs/paths.hpp"
#include "knobs/python_mentions.hpp"

namespace gputop::knobs {
namespace {

using Reason = WantedFile::Reason;

class Collector {
 public:
  Collector(const KnobTable& table,
            std::span<const SourceFile> asked,
            const ReadFiles& read,
            const std::vector<std::string>& argv)
      : table_(table), asked_(asked), read_(read), hydra_(argv) {}

  std::vector<WantedFile> collect(const std::vector<std::string>& argv, const CommandWords& command) {
    find_roots(argv, command);
    if (command.script) {
      add(*command.script, Reason::kScript, "");
      if (command.module) module_elsewhere(*command.script);
    }
    for (std::size_t i = 1; i < argv.size(); ++i) argument(argv, i, command);
    for (const auto& root : flagged_roots_) add(root, Reason::kCommandLine, "");
    for (std::size_t i = 0; i < files_.size(); ++i) {
      const auto found = read_.find(files_[i].path);
      if (found == read_.end()) continue;
      const WantedFile file = files_[i];  // files_ grows below
      depth_ = file.depth;
      look_into(file, found->second);
    }
    return std::move(files_);
  }

 private:
  void add(std::string path, Reason reason, const std::string& by) {
    path = lexical(path);
    if (path.empty() || !format_of(path) || files_.size() >= kMostFiles || !known_.insert(path).second) return;
    files_.push_back({std::move(path), reason, by, by.empty() ? 0 : depth_ + 1});
  }
  // python -m package.tools.train: where packages usually lie, the nearest first.
  void module_elsewhere(const std::string& path) {
    std::vector<std::string> places{beside(path, stem(path) + "/__main__.py"), "src/" + path};
    for (auto slash = path.find('/'); slash != path.npos && path.find('/', slash + 1) != path.npos; slash = path.find('/', slash + 1)) {
      places.push_back(slice(path, slash + 1));
    }
    const auto is_missing = [&](const std::string& place) {
      return std::any_of(asked_.begin(), asked_.end(), [&](const SourceFile& file) { return file.path == place && !file.text; });
    };
    bool missing = is_missing(lexical(path));
    for (std::size_t i = 0; i < places.size() && missing; ++i) {
      add(places[i], Reason::kScript, "");
      missing = is_missing(lexical(places[i]));
    }
  }
  static std::string stem(std::string_view path) {
    const std::string name = name_of(path);
    return slice(name, 0, name.rfind('.'));
  }

  void argument(const std::vector<std::string>& argv, std::size_t i, const CommandWords& command) {
    const std::string& word = argv[i];
    const auto equals = word.find('=');
    const std::string value = equals == word.npos ? word : slice(word, equals + 1);
    if (command.script && value == *command.script) return;
    if (!is_flag(value) && format_of(value)) add(value, is_program(value) ? Reason::kScript : Reason::kCommandLine, "");
    // --config experiment1: the name of one among the usual folders.
    const auto& flags = table_.config_flags;
    const bool behind_flag = equals == word.npos && std::find(flags.begin(), flags.end(), argv[i - 1]) != flags.end();
    const bool with_flag =
        equals != word.npos && std::find(flags.begin(), flags.end(), slice(word, 0, equals)) != flags.end();
    if ((!behind_flag && !with_flag) || is_flag(value) || format_of(value) || value.empty()) return;
    for (const std::string folder : {"", "configs/", "config/", "conf/"}) {
      add(folder + value + ".yaml", Reason::kCommandLine, "");
    }
  }

  // Behind a launcher that is not known: a script, and no configuration.
  [[nodiscard]] bool is_program(std::string_view path) const {
    const auto found = read_.find(lexical(path));
    return found != read_.end() && found->second.document.format == Format::kPython &&
           (found->second.text.find("__main__") != std::string::npos ||
            found->second.text.find("ArgumentParser") != std::string::npos);
  }

  static std::string flag_value(const std::vector<std::string>& argv, std::initializer_list<std::string_view> names) {
    for (std::size_t i = 0; i < argv.size(); ++i) {
      for (const auto name : names) {
        if (argv[i] == name && i + 1 < argv.size()) return argv[i + 1];
        if (argv[i].starts_with(std::string{name} + "=")) return slice(argv[i], name.size() + 1);
      }
    }
    return {};
  }
  // Primary configurations: by flags, by a script's @hydra.main, or files with a defaults list that the command line
  // names.
  void find_roots(const std::vector<std::string>& argv, const CommandWords& command) {
    hydra_path_ = flag_value(argv, {"--config-path", "-cp", "--config-dir", "-cd"});
    hydra_name_ = flag_value(argv, {"--config-name", "-cn"});
    if (!hydra_name_.empty() && !hydra_path_.empty()) {
      const std::string root = hydra_path_ + "/" + with_yaml(hydra_name_);
      if (command.script && !hydra_path_.starts_with('/')) flagged_roots_.push_back(beside(*command.script, root));
      flagged_roots_.push_back(lexical(root));
      for (const auto& each : flagged_roots_) hydra_.add_root(each);
    }
    for (const auto& each : read_) {
      const std::string& path = each.first;
      const Document& document = each.second.document;
      if (document.format == Format::kPython) {
        for (const auto& root : roots_of_script(path, document)) {
          if (read_.contains(lexical(root))) hydra_.add_root(root);
        }
      } else if (std::any_of(argv.begin(), argv.end(), [&](const auto& word) { return word.ends_with(path); })) {
        hydra_.add_root(path);
      }
    }
    for (const auto& [path, file] : read_) hydra_.read_overrides(path, file.document);
  }

  // The primary configuration of a script with @hydra.main; several places where it may be, if the code works out its folder.
  [[nodiscard]] std::vector<std::string> roots_of_script(const std::string& script, const Document& document) const {
    std::string folder = hydra_path_;
    std::string name = hydra_name_;
    bool hydra = false;
    bool worked_out = false;
    for (const auto& entry : document.entries) {
      const auto* word = std::get_if<std::string>(&entry.value);
      const std::vector<std::string>& path = entry.path;
      const bool main_call = path.size() > 1 && path[path.size() - 2] == "main()";
      if (main_call && entry.path.back() == "config_path" && word == nullptr) worked_out = !entry.fixed.empty() && folder.empty();
      hydra = hydra || (main_call && worked_out);
      if (word == nullptr || !main_call) continue;
      if (entry.path.back() == "config_path" && folder.empty()) folder = *word;
      if (entry.path.back() == "config_name" && name.empty()) name = *word;
      hydra = hydra || entry.path.back().starts_with("config_");
    }
    if (!hydra || name.empty()) return {};
    if (!worked_out) return {beside(script, (folder.empty() ? "" : folder + "/") + with_yaml(name))};
    std::vector<std::string> places;
    for (const char* up : {"", "../"}) {
      for (const char* usual : {"configs/", "config/", "conf/"}) places.push_back(beside(script, up + (usual + with_yaml(name))));
    }
    return places;
  }

  void look_into(const WantedFile& file, const ReadFile& content) {
    if (content.document.format == Format::kPython) return look_into_python(file, content);
    if (content.document.format == Format::kShell) return look_into_shell(file, content.document);
    if (hydra_.is_root(file.path)) {
      for (const auto& chosen : hydra_.chosen_files(file.path)) add(chosen, Reason::kCommandLine, "");
    }
    for (const auto& entry : content.document.entries) {
      const auto* word = std::get_if<std::string>(&entry.value);
      if (word == nullptr || entry.path.empty()) continue;
      if (entry.path.front() == "defaults") {
        add(hydra_.default_file(file.path, entry.path, *word), Reason::kIncluded, file.path);
      } else if (names_base(entry.path)) {
        add(beside(file.path, *word), Reason::kIncluded, file.path);
      } else if (mentions(*word)) {
        add(*word, Reason::kMentioned, file.path);
        add(beside(file.path, *word), Reason::kMentioned, file.path);
      }
    }
  }
  static bool mentions(std::string_view word) {
    return format_of(word) && format_of(word) != Format::kShell && !word.starts_with('/') &&
           word.find("..") == word.npos && word.find("${") == word.npos && word.find_first_of(" \n*?") == word.npos;
  }

  // A script that starts the run: what its commands name.
  void look_into_shell(const WantedFile& file, const Document& document) {
    for (const auto& entry : document.entries) {
      const auto* word = std::get_if<std::string>(&entry.value);
      if (word == nullptr || !entry.fixed.empty()) continue;
      const auto& flags = table_.config_flags;
      const bool config = std::find(flags.begin(), flags.end(), entry.path.back()) != flags.end();
      const bool script = !config && (word->ends_with(".py") || format_of(*word) == Format::kShell);
      if (entry.path.back() == "-m" || entry.path.back() == "--module") add(module_path(*word), Reason::kScript, file.path);
      add(*word, script ? Reason::kScript : Reason::kIncluded, file.path);
    }
  }

  void look_into_python(const WantedFile& file, const ReadFile& content) {
    // What a configuration imports beside itself is a base; what a script or a library imports is code.
    const bool config = file.reason == Reason::kCommandLine || file.reason == Reason::kIncluded;
    for (const auto& base : bases_of(file.path, config ? std::string_view{content.text} : "", content.document)) {
      add(base, Reason::kIncluded, file.path);
    }
    for (const auto& root : roots_of_script(file.path, content.document)) add(root, Reason::kIncluded, file.path);
    if (file.reason == Reason::kMentioned) return;
    const auto mentioned = python_mentions(content.text);
    // ArgumentParser(parents=[trainer.get_args_parser()]): flags that another script declares.
    const bool parents = content.text.find("parents=[") != std::string::npos;
    for (const auto& import : mentioned.imports) follow_import(file, import, parents);
    for (const auto& path : mentioned.files) {
      add(path, Reason::kMentioned, file.path);
      add(beside(file.path, path), Reason::kMentioned, file.path);
      if (path.find('/') != path.npos) continue;
      for (const std::string folder : {"configs/", "config/", "conf/"})
        add(folder + path, Reason::kMentioned, file.path);
    }
  }

  // Local modules that are about settings; which of the possible files there is, the reader finds out.
  void follow_import(const WantedFile& file, const PythonMentions::Import& import, bool any) {
    std::string module = import.module;
    std::string up;
    if (module.starts_with('.')) {
      module.erase(0, 1);
      while (module.starts_with('.')) {
        module.erase(0, 1);
        up += "../";
      }
    }
    std::string path = module;
    std::replace(path.begin(), path.end(), '.', '/');
    const auto about_settings = [&](std::string_view word) {
      const auto words = split(word, '_');
      return std::any_of(words.begin(), words.end(), [&](const std::string& part) {
        return std::find(table_.config_modules.begin(), table_.config_modules.end(), part) !=
               table_.config_modules.end();
      });
    };
    const auto parts = split(module, '.');
    // configs/__init__.py: from .training import train_config
    const bool inside = file.reason == Reason::kImported && name_of(file.path) == "__init__.py" && import.module.starts_with('.');
    const bool wanted = any || inside || std::any_of(parts.begin(), parts.end(), about_settings);
    const auto try_file = [&](const std::string& name) {
      add(beside(file.path, up + name), Reason::kImported, file.path);
      if (up.empty()) add(name, Reason::kImported, file.path);  // from the run's directory
    };
    if (wanted) {
      try_file(path + ".py");
      try_file(path + "/__init__.py");
    }
    for (const auto& name : import.names) {
      if (wanted || about_settings(name)) try_file((path.empty() ? "" : path + "/") + name + ".py");
    }
  }

  const KnobTable& table_;
  std::span<const SourceFile> asked_;
  const ReadFiles& read_;
  HydraGroups hydra_;
  std::string hydra_path_;
  std::string hydra_name_;
  std::vector<std::string> flagged_roots_;  // seen from the script, as Hydra does, and from the run's directory
  std::vector<WantedFile> files_;
  int depth_ = 0;  // of the file that is looked into
  std::set<std::string> known_;
};

}  // namespace

std::vector<WantedFile> run_files(const KnobTable& table,
                                  const std::vector<std::string>& argv,
                                  const CommandWords& command,
                                  std::span<const SourceFile> files,
                                  const ReadFiles& read) {
  return Collector{table, files, read, argv}.collect(argv, command);
}

}  // namespace gputop::knobs
