// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import java.net.InetSocketAddress;

/** Who wants to know how far a run is. */
interface PerfObserver {
    /** A server takes clients at an address. */
    default void listening(InetSocketAddress address) {}

    /** Both sides know each other's memory, and measure from now on. */
    default void measuring(PeerEntry mine, PeerEntry peer) {}

    /** The result of a size. A server that measured nothing itself has no figures, or those of the client. */
    default void measured(PerfResult result) {}
}
