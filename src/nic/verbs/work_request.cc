#include "nic/verbs/work_request.h"

#include <cstddef>

namespace headroom {

const char* WcOpcodeCode(WcOpcode opcode) {
  constexpr const char* kCodes[] = {"rdma_write", "send", "rdma_read",         "local_inv",
                                    "reg_mr",     "recv", "recv_rdma_with_imm"};
  return kCodes[static_cast<size_t>(opcode)];
}

}  // namespace headroom
