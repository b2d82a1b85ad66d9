# How everything is compiled and how the release binary is linked. Included before any target is made.

# Ours and, through FetchContent, theirs: -O2 is as fast as -O3 here and smaller; sections let the linker drop what nobody calls.
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG -ffunction-sections -fdata-sections")
set(CMAKE_CXX_FLAGS_RELEASE "${CMAKE_C_FLAGS_RELEASE}")

find_program(GPUTOP_CCACHE ccache)
mark_as_advanced(GPUTOP_CCACHE)
if(GPUTOP_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${GPUTOP_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${GPUTOP_CCACHE}")
endif()

set(GPUTOP_SANITIZE "" CACHE STRING "Sanitizers to build with, as for -fsanitize= (presets asan and tsan)")
if(GPUTOP_SANITIZE)
  # Without vptr: that check opens a file to read memory, and reports an error where no descriptor is left to open one with.
  add_compile_options(-fsanitize=${GPUTOP_SANITIZE} -fno-sanitize=vptr -fno-sanitize-recover=all -fno-omit-frame-pointer
    -Wno-maybe-uninitialized)  # GCC sees ghosts between the instrumentation's calls
  if(GPUTOP_SANITIZE MATCHES thread AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The ring between keeper and engine uses a fence, which TSan does not model; they are processes, which it does not see either.
    add_compile_options(-Wno-tsan)
  endif()
  add_link_options(-fsanitize=${GPUTOP_SANITIZE})
endif()

# gputop_release_binary(TARGET): in a Release build, one stripped file that needs nothing but glibc.
function(gputop_release_binary target)
  target_link_options(${target} PRIVATE
    "$<$<CONFIG:Release>:-static-libstdc++;-static-libgcc;-Wl,--gc-sections;-Wl,--as-needed;-s>")
endfunction()
