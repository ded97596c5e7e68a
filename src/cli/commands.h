// The commands. Each takes its own arguments (without the program's and the command's name) and returns an
// ExitCode; bad usage is thrown as boost::program_options::error.
#pragma once

#include <string>
#include <vector>

namespace headroom {

using Arguments = std::vector<std::string>;

int RunCommand(const Arguments& arguments);
int CheckCommand(const Arguments& arguments);
int ValidateCommand(const Arguments& arguments);
int CompareCommand(const Arguments& arguments);
int PlotCommand(const Arguments& arguments);
int TraceCommand(const Arguments& arguments);
int ExplainCommand(const Arguments& arguments);
int SweepCommand(const Arguments& arguments);
int TuneCommand(const Arguments& arguments);
int PerfCommand(const Arguments& arguments);
int ShowCommand(const Arguments& arguments);
int FluidCommand(const Arguments& arguments);
int ConvertCommand(const Arguments& arguments);
int KeysCommand(const Arguments& arguments);
int ColumnsCommand(const Arguments& arguments);

}  // namespace headroom
