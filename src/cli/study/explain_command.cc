// headroom explain: hands over to the Python that finds where the tail's time went, or that tries what would
// help.
#include "cli/become_python.h"
#include "cli/commands.h"
#include "cli/options.h"

namespace headroom {

namespace po = boost::program_options;

int ExplainCommand(const Arguments& arguments) {
  po::options_description named("options");
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto count = [] { return po::value<int>()->value_name("N"); };
  named.add_options()("json", "for programs: everything, in µs and shares of 1")(
      "workload", text("NAME"), "of a result: this workload in full")("all",
                                                                      "of a result: every workload in full")(
      "try", "run what may help, and KEY=VALUE of your own, with the same seeds; say what did")(
      "seeds", count(), "with --try: seeds of each; default 5")(
      "jobs", count(), "with --try: runs at once; default the number of cores")(
      "out", text("DIR"), "with --try: the study's folder; default results/NAME-try")(
      "metric", text("PATH"),
      "with --try: what is to fall; default the p99 of the workload that is slowed down most");
  po::variables_map values;
  if (!ReadOptions(arguments, named,
                   "explain DIR [--workload NAME | --all] [--json]\n"
                   "       headroom explain FILE --try [KEY=VALUE]... [--seeds N] [--json]\n\n"
                   "Where the time of a result's slowest messages and operations went, by part and place; "
                   "what paused, "
                   "marked and dropped; the settings that govern that. With --try a scenario is run as it is "
                   "and with what may help "
                   "its tail, one thing at a time; killed or interrupted, the same command goes on.\n\n"
                   "examples, the first after headroom run --help:\n"
                   "  headroom explain results/quickstart\n"
                   "  headroom explain scenarios/quickstart.yaml --try workloads.burst.size=100KB",
                   values))
    return 0;
  const bool tries = values.count("try") > 0;
  RequireInputs(values, 1, tries ? SIZE_MAX : 1, tries ? "the scenario file" : "the result directory");

  std::vector<std::string> words = Inputs(values);
  for (const char* option : {"seeds", "jobs"}) {
    if (!values.count(option)) continue;
    const int n = values[option].as<int>();
    if (!tries || n < 1)
      throw po::error(std::string("--") + option +
                      (tries ? " is a whole number from 1 on" : " goes with --try"));
    words.insert(words.end(), {std::string("--") + option, std::to_string(n)});
  }
  for (const char* option : {"out", "metric"}) {
    if (!values.count(option)) continue;
    if (!tries) throw po::error(std::string("--") + option + " goes with --try");
    words.insert(words.end(), {std::string("--") + option, values[option].as<std::string>()});
  }
  if (values.count("workload")) {
    if (tries) throw po::error("--workload goes with a result; with --try give --metric");
    words.insert(words.end(), {"--workload", values["workload"].as<std::string>()});
  }
  if (values.count("all")) {
    if (tries) throw po::error("--all goes with a result");
    words.push_back("--all");
  }
  if (tries) words.push_back("--try");
  if (values.count("json")) words.push_back("--json");
  BecomePython("headroom.explain", words);
}

}  // namespace headroom
