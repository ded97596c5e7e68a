// The result of a message. Meanings as in ibv_wc_status.
#pragma once

#include <cstdint>

namespace headroom {

enum class WcStatus : uint8_t {
  success,
  loc_len_err,       ///< a message longer than the RECV's buffer
  loc_prot_err,      ///< a local key does not cover the buffer
  wr_flush_err,      ///< the queue pair failed before the request's turn
  mw_bind_err,       ///< REG_MR or LOCAL_INV of a key that is not the region's
  rem_inv_req_err,   ///< the peer found the request invalid: too long for its RECV, or too many READs
  rem_access_err,    ///< the peer's key does not cover the range, or does not permit this operation
  rem_op_err,        ///< the peer failed for its own reasons
  retry_exc_err,     ///< no answer
  rnr_retry_exc_err  ///< the peer repeatedly had no RECV
};
const char* WcStatusName(WcStatus status);
/// The code as in the enumeration, for files.
const char* WcStatusCode(WcStatus status);

}  // namespace headroom
