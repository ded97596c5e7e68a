# Debian packages, by packaging/deb: headroom, and headroom-dev for ns-3 users. They depend on the
# libraries that the program links, and on packages of setup/packages.txt.

# packages_for(PURPOSE RESULT): the packages of this purpose, separated by commas as in a Debian control field.
function(packages_for purpose result)
  file(STRINGS ${PROJECT_SOURCE_DIR}/setup/packages.txt lines REGEX "^${purpose} ")
  list(TRANSFORM lines REPLACE "^${purpose} ([^ ]+).*" "\\1")
  list(FILTER lines EXCLUDE REGEX "^(g\\+\\+|cmake|ninja-build)$")
  list(JOIN lines ", " lines)
  set(${result} ${lines} PARENT_SCOPE)
endfunction()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/setup/packages.txt)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Headroom developers <headroom@example.org>")
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME headroom)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
packages_for(python CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS)
packages_for(tune CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "datacenter congestion control and switch buffers, packet by packet
Headroom simulates RDMA datacenters: RoCEv2 hosts whose NICs differ by
generation, shared-buffer Ethernet switches, priority flow control (PFC), ECN
marking and DCQCN, on links from 3 m in a rack to 100 km between datacenters.
A network and its traffic are one YAML file; completion times, pauses, marks
and buffer use come out, as tables, CSV files and plots.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME headroom-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
packages_for(build CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "datacenter congestion control and switch buffers, for programs on ns-3
Headers, library and CMake package of Headroom: NICs, switches, links and
verbs as nodes and devices of ns-3, for programs of one's own.")

# So that Debian's Python finds `import headroom`.
install(CODE "set(modules \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/python3/dist-packages\")
  file(MAKE_DIRECTORY \"\${modules}\")
  file(CREATE_LINK ../../../${CMAKE_INSTALL_DATADIR}/headroom/python/headroom \"\${modules}/headroom\" SYMBOLIC)"
  COMPONENT program)

# Files that Debian requires in a package.
configure_file(packaging/changelog.in changelog @ONLY)
foreach(package headroom headroom-dev)
  set(component program)
  if(package STREQUAL headroom-dev)
    set(component development)
  endif()
  set(folder ${CMAKE_INSTALL_DATADIR}/doc/${package})
  install(FILES packaging/copyright DESTINATION ${folder} COMPONENT ${component})
  install(CODE "execute_process(COMMAND gzip -9nc \"${CMAKE_CURRENT_BINARY_DIR}/changelog\"
    OUTPUT_FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}/changelog.gz\" COMMAND_ERROR_IS_FATAL ANY)"
    COMPONENT ${component})
endforeach()
include(CPack)
