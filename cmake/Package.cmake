# `cmake --install build/release` and, with `cpack --config build/release/CPackConfig.cmake`, a .deb of the same files.
# The binary carries its defaults; the themes and configs installed beside it are copies to read and edit.
include(GNUInstallDirs)
include(Sbom)
install(TARGETS gputop RUNTIME)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME copyright)
install(FILES README.md CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY themes configs DESTINATION "${CMAKE_INSTALL_DATADIR}/gputop" OPTIONAL FILES_MATCHING PATTERN "*.yaml")

# What the binary needs is this machine's glibc or a newer one, and nothing else (tests/house/binary_test.py).
execute_process(COMMAND getconf GNU_LIBC_VERSION OUTPUT_VARIABLE glibc OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REGEX REPLACE "^glibc " "" glibc "${glibc}")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The gputop authors <gputop@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}")
set(CPACK_PACKAGING_INSTALL_PREFIX "/usr")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= ${glibc})")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS python3)
include(CPack)
