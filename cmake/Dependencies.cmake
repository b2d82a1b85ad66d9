# Each dependency: an installed package, else the private prefix of scripts/setup (through CMAKE_PREFIX_PATH), else, for
# FTXUI and Catch2, FetchContent. The hashes are those of upstream's tag archives, which Debian ships unchanged.
include(FetchContent)
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
set(FETCHCONTENT_TRY_FIND_PACKAGE_MODE OPT_IN)
set(FTXUI_BUILD_DOCS OFF)
set(FTXUI_BUILD_EXAMPLES OFF)
set(FTXUI_ENABLE_INSTALL OFF)
FetchContent_Declare(ftxui
  URL "https://github.com/ArthurSonzogni/FTXUI/archive/refs/tags/v6.1.9.tar.gz"
  URL_HASH SHA256=45819c1e54914783d4a1ca5633885035d74146778a1f74e1213cdb7b76340e71
  DOWNLOAD_EXTRACT_TIMESTAMP ON
  FIND_PACKAGE_ARGS 6.0 NAMES ftxui CONFIG)
FetchContent_MakeAvailable(ftxui)
if(BUILD_TESTING)
  FetchContent_Declare(Catch2
    URL "https://github.com/catchorg/Catch2/archive/refs/tags/v3.7.1.tar.gz"
    URL_HASH SHA256=c991b247a1a0d7bb9c39aa35faf0fe9e19764213f28ffba3109388e62ee0269c
    DOWNLOAD_EXTRACT_TIMESTAMP ON
    FIND_PACKAGE_ARGS 3.0 NAMES Catch2 CONFIG)
  FetchContent_MakeAvailable(Catch2)
endif()

find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(nlohmann_json 3.9 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(yaml-cpp 0.7 REQUIRED)
if(NOT TARGET yaml-cpp::yaml-cpp)  # 0.7 has only the unqualified target
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()

find_path(ZSTD_INCLUDE_DIR zstd.h REQUIRED)
find_library(ZSTD_LIBRARY NAMES libzstd.a zstd REQUIRED)
add_library(zstd::zstd UNKNOWN IMPORTED)
set_target_properties(zstd::zstd PROPERTIES
  IMPORTED_LOCATION "${ZSTD_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${ZSTD_INCLUDE_DIR}")
