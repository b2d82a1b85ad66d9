// For LD_PRELOAD: an engine of gputop that looks into output with POISON in it dies, as GPUTOP_POISON says (crash, hang,
// exit). It is found out in memchr(), which every search for a word begins with. "never": no engine lives at all.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char kMark[] = "POISON";

static int is_marked(const unsigned char* text, size_t size) {
  const size_t length = sizeof kMark - 1;
  for (size_t i = 0; i + length <= size; ++i) {
    size_t k = 0;
    while (k < length && text[i + k] == (unsigned char)kMark[k]) ++k;
    if (k == length) return 1;
  }
  return 0;
}

static void die_of_it(void) {
  char name[16] = "";
  const char* way = getenv("GPUTOP_POISON");
  if (way == NULL || prctl(PR_GET_NAME, name) != 0 || strcmp(name, "gputop-engine") != 0) return;
  if (syscall(SYS_gettid) != getpid()) return;  // the recorder's thread only keeps it
  if (strcmp(way, "hang") == 0) {
    for (;;) pause();
  }
  if (strcmp(way, "exit") == 0) syscall(SYS_exit_group, 0);
  *(volatile char*)NULL = 0;
}

__attribute__((constructor)) static void look_at_engine(int argc, char** argv) {
  const char* way = getenv("GPUTOP_POISON");
  if (way == NULL || strcmp(way, "never") != 0 || argc < 2) return;
  if (strcmp(argv[1], "--internal-engine") == 0) *(volatile char*)NULL = 0;
}

void* memchr(const void* text, int wanted, size_t size) {
  const unsigned char* const bytes = text;
  if (size >= sizeof kMark && is_marked(bytes, size)) die_of_it();
  for (size_t i = 0; i < size; ++i) {
    if (bytes[i] == (unsigned char)wanted) return (void*)(bytes + i);
  }
  return NULL;
}
