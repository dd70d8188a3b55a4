// SPDX-License-Identifier: Apache-2.0
/**
 * Intel's RDMA devices: uapi {@code rdma/irdma-abi.h}, driver ABI 5. X722 supports reliable connected queue pairs over
 * iWARP; E810 and E82x support them over iWARP or RoCE, and datagrams over RoCE; the third generation, behind the
 * network driver idpf, supports RoCE with atomic operations and shared receive queues. All rings are little endian, and
 * a bit of each element and completion identifies the lap in which it was written.
 */
@NullMarked
package io.github.rdma4j.internal.irdma;

import org.jspecify.annotations.NullMarked;
