// The files that Headroom wrote into a folder, so that it replaces only these.
//
// The folder's file .headroom has one line per file, below a comment:
//
//     BYTES CRC COMMAND NAME        4096 1c291ca3 run messages.csv
//
// CRC: CRC-32 as in gzip, in eight hexadecimal digits. The CRC reveals accidental changes, but not forgeries.
// For a link, BYTES and CRC describe the target path. COMMAND wrote the file; NAME is its path below the
// folder. A name has several lines while its file is being replaced. So after any kill one of the lines
// describes the file. A line for NAME/.headroom includes the files of that list; a .headroom without such a
// line is somebody else's. python/headroom/manifest.py is the same in Python.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace headroom {

inline constexpr char kManifest[] = ".headroom";

/// A file as it was written.
struct WrittenFile {
  std::string command;
  std::vector<std::string> digests;  ///< the possible values of "BYTES CRC"; empty for a .headroom
};

/// Keys are paths below the folder.
using Manifest = std::map<std::string, WrittenFile>;

/// The manifest of `folder` and of folders below; empty without one.
Manifest ReadManifest(const std::filesystem::path& folder);

/// Records that `command` wrote everything in `folder`, including the results below it. Throws ResultError.
void WriteManifest(const std::filesystem::path& folder, const std::string& command);

/// Files in a folder that are not in its manifest, by path below it. Reads none of them.
std::vector<std::string> ForeignIn(const std::filesystem::path& folder, const Manifest& manifest);
/// Files in the manifest whose contents differ. Throws ResultError.
std::vector<std::string> ChangedIn(const std::filesystem::path& folder, const Manifest& manifest);

}  // namespace headroom
