// A Fleet under construction from samples.
#pragma once

#include <array>
#include <map>
#include <string>
#include <unordered_map>

#include "fleet/metrics.hpp"

namespace gputop::fleet {

class Builder {
 public:
  explicit Builder(const Answers& answers);
  Fleet build();

 private:
  struct BuiltGpu {
    Gpu gpu;
    std::array<const Metric*, 8> taken{};  // by Figure
    Reading<Bytes> free;
  };
  struct NodeFigures {
    Reading<double> cpu;
    Reading<double> used;
    Reading<double> available;
    Reading<double> total;
  };
  // Of one run under gputop.
  struct Run {
    std::string job;
    std::string rank;
    std::string name;
    std::string launcher;
    std::string node;
    std::map<std::string, double, std::less<>> figures;  // by what follows gputop_run_
    std::map<std::string, double> waits;                 // of each rank: 0…1
    std::vector<std::string> gpus;
    std::vector<Job::Advice> advice;
  };

  [[nodiscard]] std::string node(const Sample& sample) const;
  Gpu* gpu(const Sample& sample);
  void take(const Sample& sample);
  void figure(const Sample& sample, const Metric& metric);
  void about_gpu(const Sample& sample);
  void about_node(const Sample& sample);
  void about_run(const Sample& sample);
  void put_jobs_on_gpus();
  void finish_gpus();
  void finish_jobs();
  void finish_nodes();
  void finish_users();
  static void add_run(Job& job, const Run& run);

  const Answers& answers_;
  Fleet fleet_;
  std::unordered_map<std::string, std::string> nodenames_;  // by host
  std::map<std::string, BuiltGpu> gpus_;                    // by key
  std::map<std::string, NodeFigures> nodes_;
  std::map<std::string, Run> runs_;  // by node and gputop's id
};

}  // namespace gputop::fleet
