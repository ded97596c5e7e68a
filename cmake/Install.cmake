# `cmake --install`: the program, its Python part and scenarios, and the library for ns-3 users, who write
#
#   find_package(Headroom REQUIRED)
#   target_link_libraries(my_program PRIVATE Headroom::headroom)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Headroom)

if(TARGET headroom)
  install(TARGETS headroom)
endif()
set_target_properties(headroom_core PROPERTIES EXPORT_NAME core)
install(TARGETS headroom_core headroom_requirements EXPORT HeadroomTargets)
install(EXPORT HeadroomTargets NAMESPACE Headroom:: DESTINATION ${package_dir})

# Headers include each other as "net/port.h" and "analysis/water_filling.h".
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/headroom FILES_MATCHING PATTERN "*.h")
install(DIRECTORY analysis DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/headroom FILES_MATCHING PATTERN "*.h")
install(DIRECTORY analysis DESTINATION ${CMAKE_INSTALL_DATADIR}/headroom
  FILES_MATCHING PATTERN "*.py" PATTERN __pycache__ EXCLUDE)
install(DIRECTORY scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/headroom)

configure_package_config_file(cmake/HeadroomConfig.cmake.in HeadroomConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(HeadroomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/HeadroomConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/HeadroomConfigVersion.cmake
  cmake/FindNs3.cmake DESTINATION ${package_dir})
