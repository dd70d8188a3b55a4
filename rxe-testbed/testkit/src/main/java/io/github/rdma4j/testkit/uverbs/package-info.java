// SPDX-License-Identifier: Apache-2.0
/** What kernels made up for tests understand of {@code RDMA_VERBS_IOCTL}; for tests and tools of rdma4j only. */
@NullMarked
package io.github.rdma4j.testkit.uverbs;

import org.jspecify.annotations.NullMarked;
