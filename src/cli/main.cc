// The program `headroom`; program.h has its commands.
#include "cli/program.h"

int main(int argc, char** argv) { return headroom::RunProgram(argc, argv); }
