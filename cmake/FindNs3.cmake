# Finds ns-3's headers and libraries without a package config: that of Debian's libns3-dev refers to files that the
# package lacks.
#
# Components are module names (core, network, internet …); each gives a target Ns3::NAME. Sets Ns3_VERSION.
find_path(Ns3_INCLUDE_DIR ns3/core-config.h)
foreach(component IN LISTS Ns3_FIND_COMPONENTS)
  # Debian's names first, then those of ns-3's own build in its default and release profiles.
  find_library(Ns3_${component}_LIBRARY NAMES ns3-${component} ns3.37-${component}-default ns3.37-${component})
  mark_as_advanced(Ns3_${component}_LIBRARY)
  if(Ns3_${component}_LIBRARY AND Ns3_INCLUDE_DIR)
    set(Ns3_${component}_FOUND TRUE)
    if(NOT TARGET Ns3::${component})
      add_library(Ns3::${component} UNKNOWN IMPORTED)
      set_target_properties(Ns3::${component} PROPERTIES
        IMPORTED_LOCATION "${Ns3_${component}_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${Ns3_INCLUDE_DIR}")
    endif()
    if(NOT Ns3_VERSION)
      # libns3-core.so.37 or libns3.37-core-default.so
      file(REAL_PATH "${Ns3_${component}_LIBRARY}" real_path)
      if(real_path MATCHES "\\.so\\.([0-9]+)|libns3\\.([0-9]+)")
        set(Ns3_VERSION "3.${CMAKE_MATCH_1}${CMAKE_MATCH_2}")
      endif()
    endif()
  endif()
endforeach()
mark_as_advanced(Ns3_INCLUDE_DIR)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Ns3
  REQUIRED_VARS Ns3_INCLUDE_DIR VERSION_VAR Ns3_VERSION HANDLE_COMPONENTS
  REASON_FAILURE_MESSAGE "On Debian 12: apt-get install libns3-dev")
