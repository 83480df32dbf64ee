#pragma once

#include "core/cluster/communicator.h"

#include <memory>

namespace headscope {

/// Joins the processes that mpirun started together with this one; null when it was started alone.
/// Call it once. Throws Error in a build without HEADSCOPE_MPI when mpirun started several.
std::unique_ptr<Communicator> joinMpiGroup();

} // namespace headscope
