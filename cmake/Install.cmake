# `cmake --install`, in two parts: `program`, with its Python part, scenarios, manual page and completions, and
# `development`, the library for ns-3 users, who write
#
#   find_package(Headroom REQUIRED)
#   target_link_libraries(my_program PRIVATE Headroom::headroom)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Headroom)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
if(TARGET headroom)
  install(TARGETS headroom)
  # The installation writes the manual page and the completions from the --help of the installed program.
  install(CODE "execute_process(COMMAND /usr/bin/python3 -B \"${PROJECT_SOURCE_DIR}/packaging/from_help.py\"
    \"$<TARGET_FILE:headroom>\" \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\"
    COMMAND_ERROR_IS_FATAL ANY)")
endif()
install(DIRECTORY python DESTINATION ${CMAKE_INSTALL_DATADIR}/headroom FILES_MATCHING PATTERN "*.py" PATTERN __pycache__ EXCLUDE)
install(DIRECTORY scenarios schema DESTINATION ${CMAKE_INSTALL_DATADIR}/headroom)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
set_target_properties(headroom_core PROPERTIES EXPORT_NAME core)
install(TARGETS headroom_core headroom_requirements EXPORT HeadroomTargets)
install(EXPORT HeadroomTargets NAMESPACE Headroom:: DESTINATION ${package_dir})
# Headers include each other as "net/port.h" and "analysis/bounds/max_min.h".
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/headroom FILES_MATCHING PATTERN "*.h")
install(DIRECTORY analysis DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/headroom FILES_MATCHING PATTERN "*.h")
configure_package_config_file(cmake/HeadroomConfig.cmake.in HeadroomConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(HeadroomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/HeadroomConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/HeadroomConfigVersion.cmake
  cmake/FindNs3.cmake DESTINATION ${package_dir})
