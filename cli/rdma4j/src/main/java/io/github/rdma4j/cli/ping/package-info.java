// SPDX-License-Identifier: Apache-2.0
/**
 * The rping exchange: a client offers a buffer, the server fetches it by RDMA read and puts it back by RDMA write, and
 * the client compares. Speaks the protocol of rdma-core's {@code rping(1)} on both sides.
 */
@NullMarked
package io.github.rdma4j.cli.ping;

import org.jspecify.annotations.NullMarked;
