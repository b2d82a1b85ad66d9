#include "gputop/job/identity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>

#include "gputop/core/scan.hpp"

namespace gputop::job {
namespace {

class Reader {
 public:
  Reader(const Variables& variables, const std::vector<std::string>& argv, std::string_view hostname)
      : variables_(variables), argv_(argv), hostname_(hostname), above_ranks_(starts_ranks()) {}

  std::optional<JobJoined> read() {
    const bool known = slurm() || torchrun() || batch_system() || kubernetes() || ray() || plain();
    if (!known) return std::nullopt;
    if (job_.node.empty()) job_.node = hostname_;
    if (job_.master.empty()) job_.master = meeting_place();
    if (above_ranks_) {
      job_.rank.reset();
      job_.local_rank.reset();
      job_.world.reset();
    }
    return job_;
  }

 private:
  // The first of these that is set and not empty.
  [[nodiscard]] std::string text(std::initializer_list<std::string_view> names) const {
    for (const auto name : names) {
      if (auto value = variables_(name); value && !value->empty()) return *std::move(value);
    }
    return {};
  }
  [[nodiscard]] Reading<unsigned> number(std::initializer_list<std::string_view> names) const {
    const auto value = text(names);
    unsigned parsed = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
    if (value.empty() || error != std::errc{} || end != value.data() + value.size()) return std::nullopt;
    return parsed;
  }

  // The command starts ranks of its own: what the environment counts are the processes above them.
  [[nodiscard]] bool starts_ranks() const {
    constexpr std::array<std::string_view, 7> kLaunchers{"torchrun",  "torch.distributed.run", "torch.distributed.launch",
                                                         "accelerate", "deepspeed", "mpirun", "mpiexec"};
    const auto words = std::min<std::size_t>(argv_.size(), 4);  // python -u -m torch.distributed.run …
    return std::any_of(argv_.begin(), argv_.begin() + static_cast<std::ptrdiff_t>(words), [&](const std::string& word) {
      const auto name = slice(std::string_view{word}, word.rfind('/') + 1);
      return std::find(kLaunchers.begin(), kLaunchers.end(), name) != kLaunchers.end();
    });
  }

  // "--rdzv-id X", "--rdzv_id=X"; "" where the command does not say it.
  [[nodiscard]] std::string option(std::string_view name) const {
    for (std::size_t i = 0; i < argv_.size(); ++i) {
      auto word = argv_[i];
      const auto equals = word.find('=');
      auto key = word.substr(0, equals);
      std::replace(key.begin(), key.end(), '_', '-');
      if (key != name) continue;
      if (equals != std::string::npos) return word.substr(equals + 1);
      if (i + 1 < argv_.size()) return argv_[i + 1];
    }
    return {};
  }

  [[nodiscard]] std::string meeting_place() const {
    auto host = text({"MASTER_ADDR"});
    auto port = text({"MASTER_PORT"});
    if (above_ranks_ && host.empty()) {
      if (auto endpoint = option("--rdzv-endpoint"); !endpoint.empty()) return endpoint;
      host = option("--master-addr");
      port = option("--master-port");
    }
    if (host.empty()) return {};
    return port.empty() ? host : host + ":" + port;
  }

  // "" and "none" are what torchrun has where nobody gave it an id.
  [[nodiscard]] std::string run_id() const {
    auto id = text({"TORCHELASTIC_RUN_ID", "PET_RDZV_ID"});
    if (id.empty() && above_ranks_) id = option("--rdzv-id");
    return id == "none" ? std::string{} : id;
  }

  void take_ranks() {
    job_.rank = number({"RANK"});
    job_.local_rank = number({"LOCAL_RANK"});
    job_.world = number({"WORLD_SIZE"});
    job_.node_index = number({"GROUP_RANK", "NODE_RANK"});
    job_.nodes = number({"GROUP_WORLD_SIZE"});
  }

  bool slurm() {
    job_.id = text({"SLURM_JOB_ID", "SLURM_JOBID"});
    if (job_.id.empty()) return false;
    job_.launcher = "slurm";
    job_.step = text({"SLURM_STEP_ID", "SLURM_STEPID"});
    job_.node = text({"SLURMD_NODENAME"});
    job_.run_id = run_id();
    take_ranks();
    if (const auto index = number({"SLURM_NODEID"}); index && !job_.step.empty()) job_.node_index = index;
    if (!job_.nodes)
      job_.nodes = job_.step.empty() ? number({"SLURM_JOB_NUM_NODES", "SLURM_NNODES"})
                                     : number({"SLURM_STEP_NUM_NODES", "SLURM_NNODES"});
    // A batch script has a PROCID, too: it is no rank.
    if (!job_.rank && !job_.step.empty()) {
      job_.rank = number({"SLURM_PROCID"});
      job_.local_rank = number({"SLURM_LOCALID"});
      job_.world = number({"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_NPROCS"});
    }
    return true;
  }

  bool torchrun() {
    job_.id = run_id();
    const bool inside = variables_("TORCHELASTIC_RUN_ID").has_value();
    if (job_.id.empty() && inside && !on_kubernetes()) job_.id = meeting_place();
    if (job_.id.empty() && above_ranks_ && !on_kubernetes()) job_.id = meeting_place();
    if (job_.id.empty()) return false;
    job_.launcher = "torchrun";
    take_ranks();
    if (above_ranks_) {
      const auto index = option("--node-rank");
      unsigned parsed = 0;
      const auto end = index.data() + index.size();
      if (!index.empty() && std::from_chars(index.data(), end, parsed).ptr == end) job_.node_index = parsed;
    }
    return true;
  }

  // MPI and the batch systems it is mostly started by.
  bool batch_system() {
    const auto rank = number({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"});
    job_.id = text({"PBS_JOBID", "LSB_JOBID"});
    if (!job_.id.empty()) {
      job_.launcher = job_.id == text({"PBS_JOBID"}) ? "pbs" : "lsf";
    } else if (rank) {
      job_.id = text({"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_KVSNAME", "PMI_JOBID"});
      job_.launcher = "mpi";
    }
    if (job_.id.empty()) return false;
    take_ranks();
    if (!job_.rank) {
      job_.rank = rank;
      job_.local_rank = number({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK"});
      job_.world = number({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"});
    }
    return true;
  }

  [[nodiscard]] bool on_kubernetes() const { return variables_("KUBERNETES_SERVICE_HOST").has_value(); }

  // A Job's pods are called JOB-INDEX-xxxxx, a PyTorchJob's JOB-master-0 and JOB-worker-3; the downward API has the
  // pod's name and its labels under names that are the user's to choose, these are the usual ones.
  bool kubernetes() {
    if (!on_kubernetes()) return false;
    const auto pod = text({"POD_NAME", "HOSTNAME"});
    const auto index = number({"JOB_COMPLETION_INDEX"});
    job_.id = text({"JOB_NAME", "KUBERNETES_JOB_NAME", "TRAINING_JOB_NAME"});
    for (const std::string_view part : {"-master-", "-worker-", "-launcher-"}) {
      if (!job_.id.empty()) break;
      if (const auto at = pod.rfind(part); at != std::string::npos) job_.id = pod.substr(0, at);
    }
    if (job_.id.empty() && index) {
      if (const auto at = pod.rfind("-" + std::to_string(*index)); at != std::string::npos) job_.id = pod.substr(0, at);
    }
    if (job_.id.empty()) return false;
    job_.launcher = "kubernetes";
    job_.node = text({"NODE_NAME", "POD_NAME", "HOSTNAME"});
    take_ranks();
    if (!job_.rank) job_.rank = index;
    return true;
  }

  bool ray() {
    job_.id = text({"RAY_SUBMISSION_ID", "RAY_JOB_ID"});
    if (job_.id.empty()) return false;
    job_.launcher = "ray";
    take_ranks();
    return true;
  }

  // Ranks that somebody started by hand, or by a launcher nobody knows.
  bool plain() {
    take_ranks();
    job_.id = meeting_place();
    if (job_.id.empty() || !job_.rank || !job_.world) return false;
    job_.launcher = "torchrun";
    return true;
  }

  const Variables& variables_;
  const std::vector<std::string>& argv_;
  std::string_view hostname_;
  bool above_ranks_;
  JobJoined job_;
};

}  // namespace

std::optional<JobJoined> read_identity(const Variables& variables,
                                       const std::vector<std::string>& argv,
                                       std::string_view hostname) {
  return Reader{variables, argv, hostname}.read();
}

}  // namespace gputop::job
