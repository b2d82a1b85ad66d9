// Hydra's configuration groups: of the files in conf/data/ one is in force, which a defaults list, an "override" in a
// chosen file or the command line (data=cifar) decides, the last of these above all.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "knobs/run_files.hpp"

namespace gputop::knobs {

class HydraGroups {
 public:
  explicit HydraGroups(const std::vector<std::string>& argv);

  // A primary configuration. All of them are to be known before the questions below.
  void add_root(const std::string& file);
  // "override /data: cifar" of a file that was read.
  void read_overrides(const std::string& file, const Document& document);

  // The file that an entry of a defaults list stands for: at `path` of `file` the word `option`. "" where there is
  // none, or where another option was chosen instead.
  [[nodiscard]] std::string default_file(const std::string& file,
                                         const std::vector<std::string>& path,
                                         const std::string& option) const;
  // What the command line chooses, as files below the folder of a primary configuration.
  [[nodiscard]] std::vector<std::string> chosen_files(const std::string& root) const;
  [[nodiscard]] bool is_root(const std::string& file) const { return roots_.contains(file); }

 private:
  struct Choice {
    std::string group;
    std::string option;
  };
  [[nodiscard]] std::string folder_of_group(const std::string& file, std::string group) const;

  std::vector<Choice> given_;                                  // on the command line
  std::map<std::string, std::string, std::less<>> roots_;      // primary configuration → its folder
  std::map<std::string, std::string, std::less<>> overrides_;  // folder of a group → option
};

// "conf/a" → "conf/a.yaml"
std::string with_yaml(const std::string& name);

}  // namespace gputop::knobs
