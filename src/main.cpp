#include "gputop/cli/cli.hpp"

int main(int argc, char** argv) {
  return gputop::run_cli(argc, argv);
}
