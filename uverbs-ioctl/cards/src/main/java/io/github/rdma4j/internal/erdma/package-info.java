// SPDX-License-Identifier: Apache-2.0
/**
 * Alibaba Cloud's elastic RDMA adapter: uapi {@code rdma/erdma-abi.h}, driver ABI 0 and 1. The device supports reliable
 * connected queue pairs over iWARP. Work requests are little endian; completions are big endian, except for the
 * immediate data.
 */
@NullMarked
package io.github.rdma4j.internal.erdma;

import org.jspecify.annotations.NullMarked;
