// Where recordings go when nobody says where.
#pragma once

#include <string>
#include <string_view>

#include "gputop/core/result.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

// $XDG_STATE_HOME/gputop/runs, else ~/.local/state/gputop/runs. Pure: the caller reads the two variables ("" = not
// set).
Result<std::string> recordings_folder(std::string_view xdg_state_home, std::string_view home);

// "train.py-20261116T035108Z.gputop". Characters that mean something to a shell or a path become "_".
std::string recording_file_name(std::string_view run_name, WallTime wall);

// An empty file of that name in that folder, for one recording alone; "-2", "-3" … when the name is taken, be it at
// this very moment. Both are made private to the user.
Result<std::string> reserve_recording(const std::string& folder, std::string_view run_name, WallTime wall);

}  // namespace gputop
