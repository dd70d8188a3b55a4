// SPDX-License-Identifier: Apache-2.0

/** The channels and selectors of the NIO provider over RDMA. */
@NullMarked
package io.github.rdma4j.it.nio;

import org.jspecify.annotations.NullMarked;
