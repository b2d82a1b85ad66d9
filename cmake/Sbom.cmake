# What is inside the binary: sbom.spdx.json (SPDX 2.3) and third-party-licenses.txt in the build folder, both installed with the package.
# Versions and licence texts are read where the libraries were found, so that neither can be out of date.

# gputop_version_of(OUT NAME): the version in NAME.pc of the private prefix or the system, or "" where there is none.
function(gputop_version_of out name)
  set(version "")
  foreach(root ${CMAKE_PREFIX_PATH} /usr /usr/local)
    file(GLOB descriptions "${root}/lib/pkgconfig/${name}.pc" "${root}/lib/*/pkgconfig/${name}.pc" "${root}/share/pkgconfig/${name}.pc")
    foreach(description ${descriptions})
      file(STRINGS "${description}" lines REGEX "^Version:")
      if(lines AND version STREQUAL "")
        string(REGEX REPLACE "^Version: *" "" version "${lines}")
      endif()
    endforeach()
  endforeach()
  set(${out} "${version}" PARENT_SCOPE)
endfunction()

set(sbom_packages "")
set(sbom_relations "")
set(sbom_licences "")

# gputop_part(NAME VERSION SPDX-LICENCE DOCUMENT…): one library inside the binary; a DOCUMENT is a file, relative to share/doc.
function(gputop_part name version licence)
  if("${version}" STREQUAL "")
    set(version NOASSERTION)
  endif()
  set(text "")
  foreach(root ${CMAKE_PREFIX_PATH} /usr)
    foreach(document ${ARGN})
      cmake_path(ABSOLUTE_PATH document BASE_DIRECTORY "${root}/share/doc" OUTPUT_VARIABLE file)
      if(text STREQUAL "" AND EXISTS "${file}")
        file(READ "${file}" text)
      endif()
    endforeach()
  endforeach()
  if(text STREQUAL "")
    set(text "Licence: ${licence}. Its text was not installed where this binary was built.\n")
  endif()
  string(REPLACE "+" "-" id "SPDXRef-${name}")
  string(APPEND sbom_packages ",\n    {\"SPDXID\": \"${id}\", \"name\": \"${name}\", \"versionInfo\": \"${version}\","
    " \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false, \"licenseConcluded\": \"${licence}\","
    " \"licenseDeclared\": \"${licence}\", \"copyrightText\": \"NOASSERTION\"}")
  string(APPEND sbom_relations ",\n    {\"spdxElementId\": \"SPDXRef-gputop\", \"relationshipType\": \"STATIC_LINK\","
    " \"relatedSpdxElement\": \"${id}\"}")
  string(APPEND sbom_licences "==== ${name} ${version} (${licence}) ====\n\n${text}\n\n")
  set(sbom_packages "${sbom_packages}" PARENT_SCOPE)
  set(sbom_relations "${sbom_relations}" PARENT_SCOPE)
  set(sbom_licences "${sbom_licences}" PARENT_SCOPE)
endfunction()

foreach(name yaml-cpp libzstd libtsm nlohmann_json CLI11 ftxui)
  gputop_version_of(version_${name} ${name})
endforeach()
gputop_part(FTXUI "${version_ftxui}" MIT ftxui/LICENSE)
gputop_part(Boost "${Boost_VERSION}" BSL-1.0 libboost-dev/copyright libboost1.74-dev/copyright)
gputop_part(yaml-cpp "${version_yaml-cpp}" MIT libyaml-cpp-dev/copyright)
gputop_part(nlohmann-json "${version_nlohmann_json}" MIT nlohmann-json3-dev/copyright)
gputop_part(CLI11 "${version_CLI11}" BSD-3-Clause libcli11-dev/copyright)
gputop_part(zstd "${version_libzstd}" BSD-3-Clause libzstd-dev/copyright)
gputop_part(libtsm "${version_libtsm}" "MIT AND LGPL-2.1-or-later" libtsm-dev/copyright libtsm4/copyright)
# The compiler's own libraries are inside a release binary, too (gputop_release_binary in Compiler.cmake).
if(GPUTOP_PORTABLE)
  file(GLOB licence "${GPUTOP_PORTABLE}/../zig/lib*/python3*/site-packages/ziglang/lib/libcxx/LICENSE.TXT")
  gputop_part(libc++ "${CMAKE_CXX_COMPILER_VERSION}" "Apache-2.0 WITH LLVM-exception" ${licence})
elseif(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  gputop_part(libstdc++ "${CMAKE_CXX_COMPILER_VERSION}" "GPL-3.0-or-later WITH GCC-exception-3.1" libstdc++6/copyright)
endif()

file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/third-party-licenses.txt" @ONLY CONTENT
"Libraries inside the gputop binary, their versions and their licences. gputop itself: see the file copyright beside this one.\n
@sbom_licences@")
# The time is SOURCE_DATE_EPOCH, else that of the last commit where git knows it: two builds of one commit write the same files.
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(COMMAND git -C "${PROJECT_SOURCE_DIR}" log -1 --format=%ct OUTPUT_VARIABLE epoch OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET)
  if(NOT epoch)
    set(epoch 0)
  endif()
  set(ENV{SOURCE_DATE_EPOCH} "${epoch}")
endif()
string(TIMESTAMP created "%Y-%m-%dT%H:%M:%SZ" UTC)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/sbom.spdx.json" @ONLY CONTENT
"{
  \"spdxVersion\": \"SPDX-2.3\", \"dataLicense\": \"CC0-1.0\", \"SPDXID\": \"SPDXRef-DOCUMENT\", \"name\": \"gputop-@PROJECT_VERSION@\",
  \"documentNamespace\": \"urn:gputop:@PROJECT_VERSION@:@created@\",
  \"creationInfo\": {\"created\": \"@created@\", \"creators\": [\"Tool: gputop-cmake\"]},
  \"packages\": [
    {\"SPDXID\": \"SPDXRef-gputop\", \"name\": \"gputop\", \"versionInfo\": \"@PROJECT_VERSION@\", \"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false, \"licenseConcluded\": \"MIT\", \"licenseDeclared\": \"MIT\", \"copyrightText\": \"NOASSERTION\"}@sbom_packages@
  ],
  \"relationships\": [
    {\"spdxElementId\": \"SPDXRef-DOCUMENT\", \"relationshipType\": \"DESCRIBES\", \"relatedSpdxElement\": \"SPDXRef-gputop\"}@sbom_relations@
  ]
}
")
install(FILES "${PROJECT_BINARY_DIR}/sbom.spdx.json" "${PROJECT_BINARY_DIR}/third-party-licenses.txt" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
