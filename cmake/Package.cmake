# `cmake --install build/release` and, with `cpack --config build/release/CPackConfig.cmake [-G DEB|RPM|TGZ]`, packages of the same
# files. The man page and the completions are written by packaging/cli_docs.py.
# The binary carries its defaults; the themes and configs installed beside it are copies to read and edit.
include(GNUInstallDirs)
include(Sbom)
install(TARGETS gputop RUNTIME)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME copyright)
install(FILES README.md CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES packaging/cli/gputop.bash DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME gputop)
foreach(folder vendor-completions site-functions)  # Debian's zsh looks into the first, everybody else's into the second
  install(FILES packaging/cli/_gputop DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/${folder}")
endforeach()
install(FILES packaging/cli/gputop.fish DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
find_program(GPUTOP_GZIP gzip)
mark_as_advanced(GPUTOP_GZIP)
# gputop_install_gz(FILE FOLDER): as FILE.gz, as Debian wants it, without a name or time inside; plain where there is no gzip.
function(gputop_install_gz file folder)
  if(GPUTOP_GZIP)
    execute_process(COMMAND "${GPUTOP_GZIP}" -9nf "${file}" COMMAND_ERROR_IS_FATAL ANY)
    string(APPEND file .gz)
  endif()
  install(FILES "${file}" DESTINATION "${folder}")
endfunction()
configure_file(packaging/cli/gputop.1 "${PROJECT_BINARY_DIR}/gputop.1" COPYONLY)
gputop_install_gz("${PROJECT_BINARY_DIR}/gputop.1" "${CMAKE_INSTALL_MANDIR}/man1")
install(DIRECTORY themes configs DESTINATION "${CMAKE_INSTALL_DATADIR}/gputop" OPTIONAL)

# What the binary needs is this machine's glibc or a newer one, and nothing else (tests/house/binary_test.py). A portable one
# needs 2.17.
if(GPUTOP_PORTABLE)
  set(glibc 2.17)
else()
  execute_process(COMMAND getconf GNU_LIBC_VERSION OUTPUT_VARIABLE glibc OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX REPLACE "^glibc " "" glibc "${glibc}")
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The gputop authors <gputop@gputop.invalid>")  # no address yet: that domain cannot exist
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_VENDOR gputop)
set(CPACK_PACKAGE_DESCRIPTION "gputop runs a training job in its own terminal, shows the GPUs, the host
and the job's output, explains what slows the job down, and makes one change
on a key press: it measures the effect and takes back what did not help.
It also reads GPU logs and estimates whether a run fits into a GPU's memory.
One file, no dependencies but glibc.")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}")
set(CPACK_PACKAGING_INSTALL_PREFIX "/usr")
if(NOT GPUTOP_PORTABLE)  # that one is stripped by its linker, and may be another machine's
  set(CPACK_STRIP_FILES ON)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# Debian's own form of a change log, which the package must bring; what changed stands in CHANGELOG.md.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/changelog" @ONLY CONTENT
"gputop (@PROJECT_VERSION@) unstable; urgency=medium

  * What changed is in CHANGELOG.md, beside this file.

 -- @CPACK_PACKAGE_CONTACT@  @date@
")
gputop_install_gz("${PROJECT_BINARY_DIR}/changelog" "${CMAKE_INSTALL_DOCDIR}")
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= ${glibc})")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS python3)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE amd64)
endif()
set(CPACK_RPM_PACKAGE_LICENSE MIT)
set(CPACK_RPM_PACKAGE_ARCHITECTURE "${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_RPM_PACKAGE_AUTOREQ OFF)
set(CPACK_RPM_PACKAGE_REQUIRES "glibc >= ${glibc}")
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_RELOCATABLE OFF)
set(CPACK_RPM_PACKAGE_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}")
# Folders that other packages own.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/share/bash-completion /usr/share/bash-completion/completions /usr/share/fish
  /usr/share/fish/vendor_completions.d /usr/share/man /usr/share/man/man1 /usr/share/zsh /usr/share/zsh/vendor-completions /usr/share/zsh/site-functions)
# The same bytes wherever and whenever it is packed (scripts/release sets SOURCE_DATE_EPOCH). The binary is stripped already.
set(CPACK_RPM_SPEC_MORE_DEFINE "%define _buildhost localhost
%define use_source_date_epoch_as_buildtime 1
%define clamp_mtime_to_source_date_epoch 1
%define _build_id_links none
%define debug_package %{nil}
%define __strip /bin/true
%define _binary_payload w9.gzdio")
include(CPack)
