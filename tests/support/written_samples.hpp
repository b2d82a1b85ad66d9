// Samples as a test writes them down, for `recording_tool write`: plain numbers in JSON, absent is unknown.
//   {"t":MS,"gpus":[{"name":"NVIDIA
//   …","utilization":85,"memory_used":BYTES,"memory_total":BYTES,"power":W,"power_limit":W,
//                    "temperature":C,"sm_clock":MHZ,"max_sm_clock":MHZ,"capability":[8,6],"pid":PID,"pid_memory":BYTES}]}
//   {"t":MS,"host":{"cores":8,"cpu":25,"memory_total":BYTES,"memory_used":BYTES,"disk_busy":3,"cpu_pressure":1,"io_wait":0}}
//   {"t":MS,"processes":[{"pid":1,"parent":0,"root":1,"command":"python train.py","state":"R","cpu":100}]}
#pragma once

#include <optional>
#include <string_view>

#include "gputop/core/event.hpp"

namespace gputop {

// nullopt: not a sample.
std::optional<Event> written_sample(std::string_view line);

}  // namespace gputop
