// SPDX-License-Identifier: Apache-2.0
/**
 * Broadcom's NetXtreme-E: uapi {@code rdma/bnxt_re-abi.h}, driver ABI 1. The chips BCM574xx (P4), BCM575xx (P5) and
 * BCM576xx (P7) support reliable connected queue pairs and datagrams over RoCE. All rings are little endian; the
 * process also writes the packet numbers of each send, which the chip needs for retransmission.
 */
@NullMarked
package io.github.rdma4j.internal.bnxt;

import org.jspecify.annotations.NullMarked;
