// SPDX-License-Identifier: Apache-2.0
/**
 * The rings, requests and replies of VMware's paravirtual RDMA device: uapi {@code rdma/vmw_pvrdma-abi.h}, driver ABI
 * 3, in the byte order of the machine, which is an x86.
 */
@NullMarked
package io.github.rdma4j.internal.pvrdma;

import org.jspecify.annotations.NullMarked;
