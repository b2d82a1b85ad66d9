# gputop_embed(TARGET target FILES file…): the files become part of the target, packed with zstd as one text, under their paths
# relative to the source directory; include/gputop/config/assets.hpp reads them. Run as a script (-P) the same file writes the C++ source.
if(CMAKE_SCRIPT_MODE_FILE AND CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  set(entries "")
  set(end 0)
  foreach(path IN LISTS FILES)
    file(SIZE "${ROOT}/${path}" size)
    string(APPEND entries "    {\"${path}\", ${end}, ${size}},\n")
    math(EXPR end "${end} + ${size}")
  endforeach()
  list(TRANSFORM FILES PREPEND "${ROOT}/")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E cat ${FILES} OUTPUT_FILE "${OUTPUT}.text" COMMAND_ERROR_IS_FATAL ANY)
  file(ARCHIVE_CREATE OUTPUT "${OUTPUT}.zst" PATHS "${OUTPUT}.text" FORMAT raw COMPRESSION Zstd COMPRESSION_LEVEL 9)
  file(READ "${OUTPUT}.zst" bytes HEX)
  file(SIZE "${OUTPUT}.zst" size)
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  file(WRITE "${OUTPUT}.new"
    "// Written by cmake/Embed.cmake.\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n#include \"config/embedded.hpp\"\n\nnamespace gputop {\nnamespace {\n"
    "constexpr EmbeddedFile kFiles[] = {\n${entries}    {{}, 0, 0}};\n}  // namespace\n\n"
    "Embedded embedded() {\n  return {std::span{kFiles}.first(std::size(kFiles) - 1), {\"${bytes}\", ${size}}, ${end}};\n}\n"
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
