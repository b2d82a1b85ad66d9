// How the sanitizers behave in gputop's programs. Built in, because the tests start them in environments of their own:
// reports go to files, where neither a screen nor a pipe swallows them (scripts/test fails when there is one), and
// crashes are gputop's to see.
#define REPORTS "log_path=" GPUTOP_SANITIZER_REPORTS "/report:"

extern "C" {
const char* __asan_default_options() {
  return REPORTS "handle_segv=0:handle_sigbus=0:handle_abort=0:verify_asan_link_order=0";
}
const char* __ubsan_default_options() {
  return REPORTS "print_stacktrace=1";
}
const char* __tsan_default_options() {
  return REPORTS "handle_segv=0:handle_sigbus=0:handle_abort=0:die_after_fork=0";
}
}
