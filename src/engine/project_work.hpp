// Works on the project's files off the loop: a disk may be slow or hang, and the loop draws for every viewer.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "engine/next_settings.hpp"
#include "gputop/app/model.hpp"
#include "gputop/stream/loop.hpp"

namespace gputop {

// Runs one job after the other on its own thread and posts each result to the loop. Lives on the loop's thread and
// never waits for the worker.
class ProjectWork {
 public:
  using Done = std::function<void(tuning::Input)>;
  ProjectWork(Loop& loop, std::string directory, Done done);
  ~ProjectWork();
  ProjectWork(const ProjectWork&) = delete;
  ProjectWork& operator=(const ProjectWork&) = delete;

  void read(const tuning::ReadProject& wanted, const NextLaunch& launch, const Model& model);
  void write(const tuning::WriteFiles& wanted, const NextLaunch& launch, const Model& model);
  void take_back(const tuning::TakeBack& wanted, const NextLaunch& launch, const Model& model);

 private:
  struct Shared;  // shared with the thread, which may outlive this object
  using Job = std::function<tuning::Input(Shared&)>;
  void start(Job job);
  static void work(const std::shared_ptr<Shared>& shared);

  std::shared_ptr<Shared> shared_;
};

}  // namespace gputop
