#include "run/pty.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>

#include <array>

#include "gputop/base/files.hpp"
#include "run/syscall.hpp"

namespace gputop::run {

Result<Pty> open_pty(unsigned rows, unsigned columns, int like) {
  Pty pty;
  pty.master.reset(sys("posix_openpt", [] { return ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK); }));
  if (!pty.master) return io_error("a terminal for the command: posix_openpt");
  if (sys("grantpt", [&] { return ::grantpt(pty.master.get()); }) != 0) {
    return io_error("a terminal for the command: grantpt");
  }
  if (sys("unlockpt", [&] { return ::unlockpt(pty.master.get()); }) != 0) {
    return io_error("a terminal for the command: unlockpt");
  }
  std::array<char, 128> name{};
  if (sys("ptsname", [&] { return ::ptsname_r(pty.master.get(), name.data(), name.size()) == 0 ? 0 : -1; }) != 0) {
    return io_error("a terminal for the command: ptsname_r");
  }
  pty.slave.reset(sys("open_slave", [&] { return ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC); }));
  if (!pty.slave) return io_error("a terminal for the command: open " + std::string{name.data()});

  termios settings{};
  const bool usable = like >= 0 && ::tcgetattr(like, &settings) == 0 && (settings.c_lflag & ICANON) != 0;
  if (!usable && ::tcgetattr(pty.slave.get(), &settings) != 0)
    return io_error("a terminal for the command: tcgetattr");
  settings.c_iflag &= ~static_cast<tcflag_t>(IXON | IXOFF);
  settings.c_iflag |= IUTF8;
  if (sys("tcsetattr", [&] { return ::tcsetattr(pty.slave.get(), TCSANOW, &settings); }) != 0) {
    return io_error("a terminal for the command: tcsetattr");
  }
  winsize size{};
  size.ws_row = static_cast<unsigned short>(rows);
  size.ws_col = static_cast<unsigned short>(columns);
  if (sys("winsize", [&] { return ::ioctl(pty.master.get(), TIOCSWINSZ, &size); }) != 0) {
    return io_error("a terminal for the command: ioctl(TIOCSWINSZ)");
  }
  return pty;
}

}  // namespace gputop::run
