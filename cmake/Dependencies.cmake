# Where a dependency comes from, in this order: the private prefix that scripts/setup filled, an installed package, and
# last upstream's own archive through FetchContent (needs the internet). Archives (.a) are preferred, for the one-file binary.

# --- the private prefix -------------------------------------------------------------------------------------------------
# scripts/lib.sh chooses the folder in this same order, so that a plain `cmake --preset dev` finds what scripts/setup made.
set(GPUTOP_DEPS "$ENV{GPUTOP_DEPS}" CACHE PATH "Folder that scripts/setup filled with libraries")
if(NOT GPUTOP_DEPS)
  set(candidates "${PROJECT_SOURCE_DIR}/build/deps")
  if(NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
    list(PREPEND candidates "$ENV{XDG_CACHE_HOME}/gputop-deps")
  elseif(NOT "$ENV{HOME}" STREQUAL "")
    list(PREPEND candidates "$ENV{HOME}/.cache/gputop-deps")
  endif()
  foreach(candidate ${candidates})
    if(EXISTS "${candidate}/stamps")
      set_property(CACHE GPUTOP_DEPS PROPERTY VALUE "${candidate}")
      break()
    endif()
  endforeach()
endif()
if(GPUTOP_DEPS)
  list(PREPEND CMAKE_PREFIX_PATH "${GPUTOP_DEPS}" "${GPUTOP_DEPS}/libraries/usr")
endif()

# --- upstream's archives ------------------------------------------------------------------------------------------------
include(FetchContent)
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)  # the option() calls of the projects below yield to the variables set here
set(BUILD_SHARED_LIBS OFF)
set(FTXUI_BUILD_DOCS OFF)
set(FTXUI_BUILD_EXAMPLES OFF)
set(FTXUI_ENABLE_INSTALL OFF)
set(YAML_CPP_BUILD_TOOLS OFF)
set(YAML_CPP_INSTALL OFF)
set(JSON_Install OFF)
set(CLI11_INSTALL OFF)
set(ZSTD_BUILD_PROGRAMS OFF)
set(ZSTD_BUILD_SHARED OFF)
set(ZSTD_BUILD_TESTS OFF)

function(gputop_archive name sha256 url)
  FetchContent_Declare(${name} URL "${url}" URL_HASH SHA256=${sha256} DOWNLOAD_EXTRACT_TIMESTAMP ON SYSTEM ${ARGN})
endfunction()
gputop_archive(ftxui 45819c1e54914783d4a1ca5633885035d74146778a1f74e1213cdb7b76340e71
  "https://github.com/ArthurSonzogni/FTXUI/archive/refs/tags/v6.1.9.tar.gz")
gputop_archive(catch2 c991b247a1a0d7bb9c39aa35faf0fe9e19764213f28ffba3109388e62ee0269c
  "https://github.com/catchorg/Catch2/archive/refs/tags/v3.7.1.tar.gz")
gputop_archive(yaml_cpp fbe74bbdcee21d656715688706da3c8becfd946d92cd44705cc6098bb23b3a16
  "https://github.com/jbeder/yaml-cpp/archive/refs/tags/0.8.0.tar.gz")
gputop_archive(nlohmann_json 0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406
  "https://github.com/nlohmann/json/archive/refs/tags/v3.11.3.tar.gz")
gputop_archive(cli11 f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a
  "https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz")
gputop_archive(zstd 8c29e06cf42aacc1eafc4077ae2ec6c6fcb96a626157e0593d5e82a34fd403c1
  "https://github.com/facebook/zstd/releases/download/v1.5.6/zstd-1.5.6.tar.gz" SOURCE_SUBDIR build/cmake)
gputop_archive(boost 2e64e5d79a738d0fa6fb546c6e5c2bd28f88d268a2a080546f74e5ff98f29d0e
  "https://github.com/boostorg/boost/releases/download/boost-1.84.0/boost-1.84.0.tar.xz"
  SOURCE_SUBDIR headers-only)  # no such folder: the headers are all we take

# gputop_fetch(NAME [UNITY] [FOLDER folder of its CMakeLists.txt]): downloads and adds it, without its install rules.
# UNITY: it builds several times faster as a few large units.
macro(gputop_fetch name)
  cmake_parse_arguments(fetch "UNITY" "FOLDER" "" ${ARGN})
  message(STATUS "${name} is neither installed nor in the private prefix (scripts/setup): downloading it")
  set(CMAKE_UNITY_BUILD ${fetch_UNITY})
  FetchContent_MakeAvailable(${name})
  unset(CMAKE_UNITY_BUILD)
  if(EXISTS "${${name}_SOURCE_DIR}/${fetch_FOLDER}/CMakeLists.txt")
    set_property(DIRECTORY "${${name}_SOURCE_DIR}/${fetch_FOLDER}" PROPERTY EXCLUDE_FROM_ALL ON)
  endif()
endmacro()

# gputop_find_archive(TARGET HEADER LIBRARY): an imported target if the header and the library, rather its .a, are found.
function(gputop_find_archive target header library)
  string(MAKE_C_IDENTIFIER "${library}" id)
  find_path(${id}_INCLUDE_DIR ${header})
  find_library(${id}_LIBRARY NAMES lib${library}.a ${library})
  mark_as_advanced(${id}_INCLUDE_DIR ${id}_LIBRARY)
  if(${id}_INCLUDE_DIR AND ${id}_LIBRARY)
    add_library(${target} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(${target} PROPERTIES
      IMPORTED_LOCATION "${${id}_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${${id}_INCLUDE_DIR}")
  endif()
endfunction()

# --- the dependencies ---------------------------------------------------------------------------------------------------
find_package(Threads REQUIRED)

find_package(ftxui 6.0 QUIET CONFIG)
if(NOT ftxui_FOUND)
  gputop_fetch(ftxui UNITY)
endif()

if(BUILD_TESTING)
  find_package(Catch2 3.0 QUIET CONFIG)
  if(NOT Catch2_FOUND)
    gputop_fetch(catch2 UNITY)
  endif()
endif()

find_package(Boost 1.74 QUIET CONFIG)
if(NOT Boost_FOUND)
  gputop_fetch(boost FOLDER headers-only)
  file(GLOB folders LIST_DIRECTORIES true "${boost_SOURCE_DIR}/libs/*/include" "${boost_SOURCE_DIR}/libs/numeric/*/include")
  add_library(Boost::headers INTERFACE IMPORTED GLOBAL)
  set_target_properties(Boost::headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${folders}")
endif()
if(GPUTOP_PORTABLE)  # Boost 1.74 does not know that libc++ has dropped what C++20 did
  set_property(TARGET Boost::headers APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS
    BOOST_NO_CXX98_FUNCTION_BASE BOOST_ASIO_HAS_STD_INVOKE_RESULT)
endif()

find_package(nlohmann_json 3.9 QUIET CONFIG)
if(NOT nlohmann_json_FOUND)
  gputop_fetch(nlohmann_json)
endif()

find_package(CLI11 2.1 QUIET CONFIG)
if(NOT CLI11_FOUND)
  gputop_fetch(cli11)
endif()

gputop_find_archive(yaml-cpp::yaml-cpp yaml-cpp/yaml.h yaml-cpp)
if(NOT TARGET yaml-cpp::yaml-cpp)
  gputop_fetch(yaml_cpp)
endif()

gputop_find_archive(zstd::zstd zstd.h zstd)
if(TARGET zstd::zstd)
  # Half of it is never called: src/zstd_left_out.cpp takes that half's place in the one file, if it fits this version.
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT GPUTOP_PORTABLE)
    try_compile(GPUTOP_ZSTD_LEFT_OUT
      SOURCES "${PROJECT_SOURCE_DIR}/cmake/zstd_calls.cpp" "${PROJECT_SOURCE_DIR}/src/zstd_left_out.cpp"
      LINK_LIBRARIES zstd::zstd)
  endif()
else()
  gputop_fetch(zstd FOLDER build/cmake)
  add_library(zstd::zstd ALIAS libzstd_static)
endif()

# The terminal emulator of the output pane. Upstream's archive lacks a sub-module, so there is nothing to download.
gputop_find_archive(tsm::tsm libtsm.h tsm)
if(NOT TARGET tsm::tsm)
  message(FATAL_ERROR "libtsm (libtsm.h and libtsm.a) was not found: run scripts/setup, or install libtsm-dev")
endif()
