# gputop_module(NAME [SMALL] [USES module…] [LINKS target…]): the static library gputop_NAME of all src/NAME/**.cpp.
# SMALL: nothing in it runs often; built for size, so that the one file stays one that is quickly copied.
# A module that has no sources yet is an empty interface, so that the table in CMakeLists.txt can stay whole.

add_library(gputop_flags INTERFACE)
target_include_directories(gputop_flags INTERFACE "${PROJECT_SOURCE_DIR}/include")
target_compile_definitions(gputop_flags INTERFACE GPUTOP_VERSION="${PROJECT_VERSION}")
target_compile_options(gputop_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
  -Wno-missing-field-initializers)  # designated initialisers leave the rest at their defaults on purpose
if(GPUTOP_WERROR)
  target_compile_options(gputop_flags INTERFACE -Werror)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC bug 105651: with optimisation, every "literal" + std::string is taken for an overlapping copy.
  target_compile_options(gputop_flags INTERFACE -Wno-restrict)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # g++ looks after shadowing; clang also means names of other files of a unity build.
  target_compile_options(gputop_flags INTERFACE -Wno-shadow)
endif()

# gputop_sanitizer: for every program; empty where nothing is sanitized.
add_library(gputop_sanitizer INTERFACE)
if(GPUTOP_SANITIZE)
  add_library(gputop_sanitizer_options OBJECT "${PROJECT_SOURCE_DIR}/tests/support/sanitizer_options.cpp")
  target_compile_definitions(gputop_sanitizer_options PRIVATE GPUTOP_SANITIZER_REPORTS="${PROJECT_BINARY_DIR}/reports")
  target_link_libraries(gputop_sanitizer INTERFACE gputop_sanitizer_options $<TARGET_OBJECTS:gputop_sanitizer_options>)
endif()

function(gputop_module name)
  cmake_parse_arguments(arg "SMALL" "" "USES;LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${name}/*.cpp")
  if(sources)
    add_library(gputop_${name} STATIC ${sources})
    set(scope PUBLIC)
    target_include_directories(gputop_${name} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    set_target_properties(gputop_${name} PROPERTIES UNITY_BUILD ${GPUTOP_UNITY} UNITY_BUILD_BATCH_SIZE 0)
    if(arg_SMALL)
      target_compile_options(gputop_${name} PRIVATE "$<$<CONFIG:Release>:${GPUTOP_SMALL_OPTIONS}>")
    endif()
  else()
    add_library(gputop_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  list(TRANSFORM arg_USES PREPEND gputop_)
  target_link_libraries(gputop_${name} ${scope} gputop_flags ${arg_USES} ${arg_LINKS})
endfunction()

# gputop_unit_tests(NAME): the program unit_NAME of all tests/unit/NAME/**.cpp, one CTest case.
function(gputop_unit_tests name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/unit/${name}/*.cpp")
  if(NOT sources)
    return()
  endif()
  add_executable(unit_${name} ${sources})
  target_include_directories(unit_${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(unit_${name} PRIVATE gputop_${name} gputop_flags gputop_sanitizer Catch2::Catch2WithMain)
  target_compile_options(unit_${name} PRIVATE $<$<CONFIG:Release>:-O0>)  # the code under test is optimised; this need not be
  target_compile_definitions(unit_${name} PRIVATE GPUTOP_GOLDEN="${PROJECT_SOURCE_DIR}/tests/golden")
  set_target_properties(unit_${name} PROPERTIES UNITY_BUILD ${GPUTOP_UNITY} UNITY_BUILD_BATCH_SIZE 0)
  add_test(NAME unit.${name} COMMAND unit_${name})
  set_tests_properties(unit.${name} PROPERTIES PROCESSORS 2)  # shares: see tests/CMakeLists.txt
endfunction()
