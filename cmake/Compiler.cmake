# How everything is compiled and how the release binary is linked. Included before any target is made.

# Ours and, through FetchContent, theirs: -O2 is as fast as -O3 here and smaller; sections let the linker drop what nobody calls.
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG -ffunction-sections -fdata-sections")
set(GPUTOP_SMALL_OPTIONS -Os -Wno-maybe-uninitialized)  # at -Os g++ 12 sees optionals read that were tested before
if(GPUTOP_PORTABLE)  # zig takes -Oz for -Os, keeps frame pointers and a libc++ that the whole program can be trimmed to
  string(APPEND CMAKE_C_FLAGS_RELEASE " -fomit-frame-pointer -flto")
  list(APPEND GPUTOP_SMALL_OPTIONS -Xclang -Oz)
endif()
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

# Identical functions are folded into one where the linker can: 2 % of the file.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT GPUTOP_PORTABLE)
  include(CheckLinkerFlag)
  check_linker_flag(CXX "-fuse-ld=gold;-Wl,--icf=safe" GPUTOP_LINKER_FOLDS)
endif()

# gputop_release_binary(TARGET): in a Release build, one stripped file that needs nothing but glibc.
function(gputop_release_binary target)
  target_link_options(${target} PRIVATE
    "$<$<CONFIG:Release>:-static-libstdc++;-static-libgcc;-Wl,--gc-sections;-Wl,--as-needed;-s>")
  if(GPUTOP_PORTABLE)
    set_target_properties(${target} PROPERTIES CXX_LINKER_LAUNCHER "${GPUTOP_PORTABLE}/bin/zig-fold")
  elseif(GPUTOP_LINKER_FOLDS)
    # A driver's library finds our exit (sources/nvml/crash_guard.cpp) and nothing else of ours: 0.6 % of the file were symbols.
    set(exported "${PROJECT_SOURCE_DIR}/cmake/exported.map")
    target_link_options(${target} PRIVATE -fuse-ld=gold -Wl,--icf=safe -Wl,-O2 "-Wl,--version-script=${exported}")
    set_target_properties(${target} PROPERTIES LINK_DEPENDS "${exported}")
  endif()
  if(GPUTOP_ZSTD_LEFT_OUT)
    target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src/zstd_left_out.cpp")
  endif()
endfunction()
