// SPDX-License-Identifier: Apache-2.0

/** Connections of the native wire: registered buffers, queues, streams of bytes. For the channels of this module. */
@NullMarked
package io.github.rdma4j.internal.netty;

import org.jspecify.annotations.NullMarked;
