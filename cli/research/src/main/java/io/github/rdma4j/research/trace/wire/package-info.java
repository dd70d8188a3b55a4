// SPDX-License-Identifier: Apache-2.0

/** The frames of a capture, the messages of the connection manager in them, and the named fields of a message. */
@NullMarked
package io.github.rdma4j.research.trace.wire;

import org.jspecify.annotations.NullMarked;
