// SPDX-License-Identifier: Apache-2.0
/** Mappings of device memory, memory for kernel calls, and addresses of buffers. */
@NullMarked
package io.github.rdma4j.internal.memory;

import org.jspecify.annotations.NullMarked;
