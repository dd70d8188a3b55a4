// SPDX-License-Identifier: Apache-2.0

/** What a capture shows: the frames, and which of them concern the connection manager. */
@NullMarked
package io.github.rdma4j.lab.trace.wire;

import org.jspecify.annotations.NullMarked;
