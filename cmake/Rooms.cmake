# How the folders of the library are compiled. A group takes whole folders, with those below them. Only
# src/cli/main.cc is left out: it belongs to the program.

# The requirements of the library, which its users inherit.
add_library(headroom_requirements INTERFACE)
target_include_directories(headroom_requirements INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/headroom>)
target_link_libraries(headroom_requirements INTERFACE
  Ns3::internet Ns3::traffic-control Ns3::network Ns3::core fmt::fmt yaml-cpp nlohmann_json::nlohmann_json Boost::program_options)
target_compile_features(headroom_requirements INTERFACE cxx_std_20)

# UBSan's check of alignment costs a quarter of a sanitized build. The packet path keeps it, because it stores pointers
# as numbers. No other folder does.
set(fast_sanitizers -fno-sanitize=alignment)

set(room_objects)
set(grouped_files)

# add_room(NAME FILE...): an object library of these files.
function(add_room name)
  add_library(${name} OBJECT ${ARGN})
  target_link_libraries(${name} PUBLIC headroom_requirements
    PRIVATE $<BUILD_INTERFACE:Eigen3::Eigen> $<BUILD_INTERFACE:headroom_warnings>)
endfunction()

# packet_path(FOLDER...): the code that runs for every frame. It is optimised across its files. Each file compiles
# alone, with precompiled common headers.
macro(packet_path)
  set(files)
  foreach(folder IN ITEMS ${ARGN})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${folder}/*.cc)
    list(APPEND files ${found})
  endforeach()
  add_room(headroom_packet_path ${files})
  target_compile_options(headroom_packet_path PRIVATE "$<${gcc_release}:-flto=auto>")
  if(HEADROOM_TESTS) # for programs that should link fast
    target_compile_options(headroom_packet_path PRIVATE "$<${gcc_release}:-ffat-lto-objects>")
  endif()
  target_precompile_headers(headroom_packet_path PRIVATE
    <algorithm> <array> <functional> <map> <memory> <optional> <string> <vector>
    <fmt/format.h> <ns3/net-device.h> <ns3/node.h> <ns3/object.h> <ns3/traced-callback.h>)
  list(APPEND room_objects $<TARGET_OBJECTS:headroom_packet_path>)
endmacro()

# compile_in_units(TARGET MOST): the target's files compile in the fewest equal units of at most MOST files each.
function(compile_in_units target most)
  get_target_property(files ${target} SOURCES)
  list(LENGTH files count)
  math(EXPR units "(${count} + ${most} - 1) / ${most}")
  math(EXPR files_of_unit "(${count} + ${units} - 1) / ${units}")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${files_of_unit})
endfunction()

# grouped_rooms(OPTIMISATION FOLDER...): up to 32 files of these folders compile as one unit, since headers are three
# quarters of the cost of a file. So names in anonymous namespaces must differ within a group. Files of an earlier group are
# left out. OPTIMISATION is for release builds, in place of -O3. Groups at -Og share precompiled headers, which would cost
# more than they save in the few units of the other groups.
macro(grouped_rooms optimisation)
  string(REGEX REPLACE "^src/" "" name ${ARGV1})
  string(MAKE_C_IDENTIFIER headroom_${name} name)
  set(files)
  foreach(folder IN ITEMS ${ARGN})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${folder}/*.cc)
    list(APPEND files ${found})
  endforeach()
  list(REMOVE_ITEM files ${grouped_files})
  list(APPEND grouped_files ${files})
  list(FILTER files EXCLUDE REGEX "/src/cli/main\\.cc$")
  add_room(${name} ${files})
  compile_in_units(${name} 32)
  target_compile_options(${name} PRIVATE "$<IF:$<CONFIG:Release>,${optimisation},-O0;${fast_sanitizers}>")
  if("${optimisation}" STREQUAL "-Og" AND headers_of)
    target_precompile_headers(${name} REUSE_FROM ${headers_of})
  elseif("${optimisation}" STREQUAL "-Og")
    set(headers_of ${name})
    target_precompile_headers(${name} PRIVATE
      <algorithm> <array> <filesystem> <functional> <map> <memory> <optional> <set> <sstream> <string> <vector>
      <fmt/format.h> <nlohmann/json.hpp>)
  endif()
  list(APPEND room_objects $<TARGET_OBJECTS:${name}>)
endmacro()
