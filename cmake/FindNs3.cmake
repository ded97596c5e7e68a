# Finds ns-3's headers and libraries by themselves: the package config of Debian's libns3-dev refers to files that
# the package does not bring. Components are module names (core, network, …); each gives a target Ns3::NAME.
find_path(Ns3_INCLUDE_DIR ns3/core-config.h)
if(NOT Ns3_INCLUDE_DIR)
  find_path(Ns3_INCLUDE_DIR ns3/simulator.h)
endif()
foreach(component IN LISTS Ns3_FIND_COMPONENTS)
  find_library(Ns3_${component}_LIBRARY NAMES ns3-${component} ns3.37-${component} ns3.37-${component}-default)
  if(Ns3_${component}_LIBRARY AND Ns3_INCLUDE_DIR)
    set(Ns3_${component}_FOUND TRUE)
    if(NOT TARGET Ns3::${component})
      add_library(Ns3::${component} UNKNOWN IMPORTED)
      set_target_properties(Ns3::${component} PROPERTIES
        IMPORTED_LOCATION "${Ns3_${component}_LIBRARY}"
        INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${Ns3_INCLUDE_DIR}")
    endif()
  endif()
endforeach()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Ns3 REQUIRED_VARS Ns3_INCLUDE_DIR HANDLE_COMPONENTS)
