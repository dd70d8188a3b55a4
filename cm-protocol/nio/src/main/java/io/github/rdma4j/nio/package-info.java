// SPDX-License-Identifier: Apache-2.0

/** Existing programs over RDMA: a provider of the channels and selectors of {@code java.nio.channels}. */
@NullMarked
package io.github.rdma4j.nio;

import org.jspecify.annotations.NullMarked;
