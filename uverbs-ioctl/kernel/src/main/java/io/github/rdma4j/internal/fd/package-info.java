// SPDX-License-Identifier: Apache-2.0

/** File descriptors, and waits for them: used by several threads, closed once, never used after close. */
@NullMarked
package io.github.rdma4j.internal.fd;

import org.jspecify.annotations.NullMarked;
