// LD_PRELOAD for one test: writes to a recording hang for as long as the file named by HANG_WHILE exists, as on a disk that
// does not answer.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_recording(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 7) return 0;
  path[size] = '\0';
  return strcmp(path + size - 7, ".gputop") == 0;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off_t);
  if (!real) real = (ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite");
  const char *flag = getenv("HANG_WHILE");
  while (flag && access(flag, F_OK) == 0 && is_recording(fd)) usleep(10000);
  return real(fd, bytes, count, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t offset) { return pwrite(fd, bytes, count, offset); }
