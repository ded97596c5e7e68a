#include "nic/transport/wc_status.h"

#include <cstddef>

namespace headroom {

const char* WcStatusCode(WcStatus status) {
  constexpr const char* kCodes[] = {"success",       "loc_len_err",      "loc_prot_err",   "wr_flush_err",
                                    "mw_bind_err",   "rem_inv_req_err",  "rem_access_err", "rem_op_err",
                                    "retry_exc_err", "rnr_retry_exc_err"};
  return kCodes[static_cast<size_t>(status)];
}

const char* WcStatusName(WcStatus status) {
  constexpr const char* kNames[] = {"success",
                                    "local length error",
                                    "local protection error",
                                    "work request flushed",
                                    "memory binding error",
                                    "remote invalid request error",
                                    "remote access error",
                                    "remote operation error",
                                    "transport retries exceeded",
                                    "RNR retries exceeded"};
  return kNames[static_cast<size_t>(status)];
}

}  // namespace headroom
