# gputop_embed(TARGET target FILES file…): the files' bytes become part of the target, under their paths relative to the source
# directory; include/gputop/config/assets.hpp reads them. Run as a script (-P) the same file writes the C++ source.
if(CMAKE_SCRIPT_MODE_FILE AND CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  set(entries "")
  foreach(path IN LISTS FILES)
    file(READ "${ROOT}/${path}" bytes HEX)
    string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
    file(SIZE "${ROOT}/${path}" size)
    string(APPEND entries "    {\"${path}\", {\"${bytes}\", ${size}}},\n")
  endforeach()
  file(WRITE "${OUTPUT}.new"
    "// Written by cmake/Embed.cmake.\n#include \"config/embedded.hpp\"\n\nnamespace gputop {\nnamespace {\n"
    "constexpr EmbeddedFile kFiles[] = {\n${entries}    {{}, {}}};\n}  // namespace\n\n"
    "std::span<const EmbeddedFile> embedded_files() {\n  return std::span{kFiles}.first(std::size(kFiles) - 1);\n}\n"
    "}  // namespace gputop\n")
  file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
  return()
endif()

set(GPUTOP_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

function(gputop_embed)
  cmake_parse_arguments(arg "" "TARGET" "FILES" ${ARGN})
  set(output "${PROJECT_BINARY_DIR}/embedded/${arg_TARGET}.cpp")
  list(TRANSFORM arg_FILES PREPEND "${PROJECT_SOURCE_DIR}/" OUTPUT_VARIABLE paths)
  add_custom_command(OUTPUT "${output}"
    COMMAND ${CMAKE_COMMAND} "-DROOT=${PROJECT_SOURCE_DIR}" "-DOUTPUT=${output}" "-DFILES=${arg_FILES}" -P "${GPUTOP_EMBED_SCRIPT}"
    DEPENDS ${paths} "${GPUTOP_EMBED_SCRIPT}"
    COMMENT "Embedding files into ${arg_TARGET}"
    VERBATIM)
  target_sources(${arg_TARGET} PRIVATE "${output}")
endfunction()
