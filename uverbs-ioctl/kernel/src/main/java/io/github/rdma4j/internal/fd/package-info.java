// SPDX-License-Identifier: Apache-2.0

/** Descriptors of the kernel, and waiting for them: opened, used by several threads, closed once, never used afterwards. */
@NullMarked
package io.github.rdma4j.internal.fd;

import org.jspecify.annotations.NullMarked;
