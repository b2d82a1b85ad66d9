// LD_PRELOAD for the tests of gputop's own start: the Nth call of one function in one of its processes fails once, and
// civil time can be moved. Everything else, and every other program, is left alone.
//   FAULT=ROLE:NAME:N:ERRNO   ROLE is starter, keeper or engine; FAULT_MARK: a file made when it happened (then never again)
//   LACKS=NAME,NAME           these system calls are not there (ENOSYS; subreaper: prctl's EINVAL), as on an older kernel: in every
//                             process of gputop's
//   CLOCK_SHIFT=FILE          seconds by which CLOCK_REALTIME is off, read anew at every look; gputop's processes only
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static char wanted[64], mark[4096], shift_path[4096], lacked[256];
static int nth, error_code, ours;
static _Atomic int calls;

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

// By the command line: "gputop: keeper NAME" "--internal-keeper" …
static const char *role_of(const char *words, ssize_t size) {
  const char *second = memchr(words, '\0', (size_t)size);
  const char *mode = second && second + 1 < words + size ? second + 1 : "";
  if (!strcmp(mode, "--internal-engine")) return "engine";
  if (!strncmp(mode, "--internal-", 11)) return "keeper";
  const char *slash = strrchr(words, '/');
  return !strcmp(slash ? slash + 1 : words, "gputop") ? "starter" : "";
}

__attribute__((constructor)) static void begin(void) {
  char words[8192] = "", role[16] = "";
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  const ssize_t size = fd < 0 ? 0 : read(fd, words, sizeof words - 1);
  if (fd >= 0) close(fd);
  const char *me = role_of(words, size > 0 ? size : 0);
  ours = *me != '\0';
  const char *clock = getenv("CLOCK_SHIFT");
  if (ours && clock) snprintf(shift_path, sizeof shift_path, "%s", clock);
  const char *lacks = getenv("LACKS");
  if (ours && lacks) snprintf(lacked, sizeof lacked, ",%s,", lacks);
  const char *fault = getenv("FAULT");
  const char *path = getenv("FAULT_MARK");
  if (!ours || !fault || !path || sscanf(fault, "%15[^:]:%63[^:]:%d:%d", role, wanted, &nth, &error_code) != 4) return;
  snprintf(mark, sizeof mark, "%s", path);
  if (strcmp(role, me)) nth = 0;
}

static int fails(const char *name) {
  if (!nth || strcmp(name, wanted) || ++calls != nth) return 0;
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return 0;  // it has happened already, in a process that was replaced by this one
  close(fd);
  errno = error_code;
  return 1;
}

static int lacks(const char *name) {
  char word[64];
  snprintf(word, sizeof word, ",%s,", name);
  return strstr(lacked, word) != NULL;
}

// What gputop calls by number, because an older glibc has no function for it.
static const char *name_of(long number) {
  switch (number) {
    case SYS_memfd_create: return "memfd_create";
    case SYS_getrandom: return "getrandom";
    case SYS_renameat2: return "renameat2";
    case 424: return "pidfd_send_signal";
    case 434: return "pidfd_open";
    case 436: return "close_range";
    default: return "";
  }
}

long syscall(long number, ...) {
  static long (*next)(long, ...);
  if (!next) next = (long (*)(long, ...))real("syscall");
  long a[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; ++i) a[i] = va_arg(rest, long);
  va_end(rest);
  const char *name = name_of(number);
  if (*name && lacks(name)) {
    errno = ENOSYS;
    return -1;
  }
  return *name && fails(name) ? -1 : next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

#define CALL(result, name, types, values)                     \
  result name types {                                         \
    static result(*next) types;                               \
    if (!next) next = (result(*) types)real(#name);           \
    return fails(#name) ? (result)-1 : next values;           \
  }

CALL(int, socket, (int a, int b, int c), (a, b, c))
CALL(int, socketpair, (int a, int b, int c, int d[2]), (a, b, c, d))
CALL(int, bind, (int a, const struct sockaddr *b, socklen_t c), (a, b, c))
CALL(int, listen, (int a, int b), (a, b))
CALL(int, connect, (int a, const struct sockaddr *b, socklen_t c), (a, b, c))
CALL(int, accept4, (int a, struct sockaddr *b, socklen_t *c, int d), (a, b, c, d))
CALL(int, setsockopt, (int a, int b, int c, const void *d, socklen_t e), (a, b, c, d, e))
CALL(int, getsockopt, (int a, int b, int c, void *d, socklen_t *e), (a, b, c, d, e))
CALL(ssize_t, sendmsg, (int a, const struct msghdr *b, int c), (a, b, c))
CALL(ssize_t, recvmsg, (int a, struct msghdr *b, int c), (a, b, c))
CALL(int, pipe, (int a[2]), (a))
CALL(int, pipe2, (int a[2], int b), (a, b))
CALL(int, eventfd, (unsigned a, int b), (a, b))
CALL(int, epoll_create, (int a), (a))
CALL(int, epoll_create1, (int a), (a))
CALL(int, epoll_ctl, (int a, int b, int c, struct epoll_event *d), (a, b, c, d))
CALL(int, timerfd_create, (int a, int b), (a, b))
CALL(int, timerfd_settime, (int a, int b, const struct itimerspec *c, struct itimerspec *d), (a, b, c, d))
CALL(int, signalfd, (int a, const sigset_t *b, int c), (a, b, c))
CALL(int, ftruncate, (int a, off_t b), (a, b))
CALL(int, ftruncate64, (int a, off64_t b), (a, b))
CALL(int, dup, (int a), (a))
CALL(int, dup2, (int a, int b), (a, b))
CALL(int, dup3, (int a, int b, int c), (a, b, c))
CALL(int, mkdir, (const char *a, mode_t b), (a, b))
CALL(int, unlink, (const char *a), (a))
CALL(int, rmdir, (const char *a), (a))
CALL(int, rename, (const char *a, const char *b), (a, b))
CALL(int, chmod, (const char *a, mode_t b), (a, b))
CALL(int, fstat, (int a, struct stat *b), (a, b))
CALL(int, stat, (const char *restrict a, struct stat *restrict b), (a, b))
CALL(int, lstat, (const char *restrict a, struct stat *restrict b), (a, b))
CALL(ssize_t, readlink, (const char *restrict a, char *restrict b, size_t c), (a, b, c))
CALL(pid_t, fork, (void), ())
CALL(pid_t, setsid, (void), ())
CALL(int, posix_openpt, (int a), (a))
CALL(int, grantpt, (int a), (a))
CALL(int, unlockpt, (int a), (a))
CALL(int, ptsname_r, (int a, char *b, size_t c), (a, b, c))
CALL(int, tcgetattr, (int a, struct termios *b), (a, b))
CALL(int, tcsetattr, (int a, int b, const struct termios *c), (a, b, c))
CALL(int, flock, (int a, int b), (a, b))
CALL(int, fsync, (int a), (a))
CALL(ssize_t, read, (int a, void *b, size_t c), (a, b, c))
CALL(ssize_t, write, (int a, const void *b, size_t c), (a, b, c))
CALL(ssize_t, pread64, (int a, void *b, size_t c, off64_t d), (a, b, c, d))
CALL(ssize_t, pwrite64, (int a, const void *b, size_t c, off64_t d), (a, b, c, d))
CALL(ssize_t, pread, (int a, void *b, size_t c, off_t d), (a, b, c, d))
CALL(ssize_t, pwrite, (int a, const void *b, size_t c, off_t d), (a, b, c, d))
CALL(int, poll, (struct pollfd *a, nfds_t b, int c), (a, b, c))
CALL(int, execve, (const char *a, char *const b[], char *const c[]), (a, b, c))

void *mmap(void *a, size_t b, int c, int d, int e, off_t f) {
  static void *(*next)(void *, size_t, int, int, int, off_t);
  if (!next) next = (void *(*)(void *, size_t, int, int, int, off_t))real("mmap");
  return fails("mmap") ? MAP_FAILED : next(a, b, c, d, e, f);
}
void *mmap64(void *a, size_t b, int c, int d, int e, off64_t f) { return mmap(a, b, c, d, e, f); }

int pthread_create(pthread_t *a, const pthread_attr_t *b, void *(*c)(void *), void *d) {
  static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (!next) next = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))real("pthread_create");
  return fails("pthread_create") ? error_code : next(a, b, c, d);
}

FILE *fopen(const char *a, const char *b) {
  static FILE *(*next)(const char *, const char *);
  if (!next) next = (FILE * (*)(const char *, const char *)) real("fopen");
  return fails("fopen") ? NULL : next(a, b);
}
FILE *fopen64(const char *a, const char *b) { return fopen(a, b); }

#define OPENED(mode)                       \
  mode_t mode = 0;                         \
  if (flags & (O_CREAT | __O_TMPFILE)) {   \
    va_list rest;                          \
    va_start(rest, flags);                 \
    mode = va_arg(rest, mode_t);           \
    va_end(rest);                          \
  }

int open(const char *path, int flags, ...) {
  OPENED(mode)
  return fails("open") ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  OPENED(mode)
  return fails("open") ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode);
}
int openat(int at, const char *path, int flags, ...) {
  OPENED(mode)
  return fails("openat") ? -1 : (int)syscall(SYS_openat, at, path, flags, mode);
}

// Variable arguments that are all at most as wide as a register.
// What cannot fail on a descriptor that is open (FIONBIO, F_SETFD …) does not.
static int may_fail(unsigned long request) {
  return request == F_DUPFD || request == F_DUPFD_CLOEXEC || request == F_ADD_SEALS || request == TIOCSCTTY ||
         request == TIOCSWINSZ || request == TIOCGWINSZ;
}

int ioctl(int fd, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  return may_fail(request) && fails("ioctl") ? -1 : (int)syscall(SYS_ioctl, fd, request, argument);
}
int fcntl(int fd, int request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  return may_fail((unsigned long)request) && fails("fcntl") ? -1 : (int)syscall(SYS_fcntl, fd, request, argument);
}
int fcntl64(int fd, int request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  return may_fail((unsigned long)request) && fails("fcntl") ? -1 : (int)syscall(SYS_fcntl, fd, request, argument);
}
int prctl(int option, ...) {
  unsigned long a[4];
  va_list rest;
  va_start(rest, option);
  for (int i = 0; i < 4; ++i) a[i] = va_arg(rest, unsigned long);
  va_end(rest);
  if (option == PR_SET_CHILD_SUBREAPER && lacks("subreaper")) {
    errno = EINVAL;
    return -1;
  }
  return fails("prctl") ? -1 : (int)syscall(SYS_prctl, option, a[0], a[1], a[2], a[3]);
}

// --- civil time ---
static long shift(void) {
  if (!*shift_path) return 0;
  char text[32] = "";
  const int saved = errno;
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, shift_path, O_RDONLY | O_CLOEXEC);
  if (fd >= 0) {
    if (syscall(SYS_read, fd, text, sizeof text - 1) < 0) text[0] = '\0';
    close(fd);
  }
  errno = saved;
  return atol(text);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*next)(clockid_t, struct timespec *);
  if (!next) next = (int (*)(clockid_t, struct timespec *))real("clock_gettime");
  const int result = next(clock, now);
  if (ours && result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += shift();
  return result;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  static int (*next)(struct timeval *, void *);
  if (!next) next = (int (*)(struct timeval *, void *))real("gettimeofday");
  const int result = next(now, zone);
  if (ours && result == 0) now->tv_sec += shift();
  return result;
}
time_t time(time_t *now) {
  struct timespec exact = {0, 0};
  clock_gettime(CLOCK_REALTIME, &exact);
  if (now) *now = exact.tv_sec;
  return exact.tv_sec;
}
