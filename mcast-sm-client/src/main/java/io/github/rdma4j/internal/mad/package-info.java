// SPDX-License-Identifier: Apache-2.0

/** Encodes and decodes the headers of management datagrams (MADs). */
@NullMarked
package io.github.rdma4j.internal.mad;

import org.jspecify.annotations.NullMarked;
