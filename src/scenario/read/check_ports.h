// Hosts with two ports: what their links, and the other sections of a scenario, must fulfil.
#pragma once

#include "scenario/scenario.h"
#include "scenario/yaml/reader.h"

namespace headroom {

/// Gives hosts with two ports, and only them, the parameters of a bond. `hosts` and `nics`: these sections;
/// null: absent. Errors without a key of their own are at `where`.
void SetBonds(Scenario& scenario, const Node* hosts, const Node* nics, const Position& where, Errors& errors);

}  // namespace headroom
