// SPDX-License-Identifier: Apache-2.0
/** Decodes {@code RDMA_VERBS_IOCTL} for kernels in memory; for the tests and tools of rdma4j only. */
@NullMarked
package io.github.rdma4j.internal.testkit;

import org.jspecify.annotations.NullMarked;
