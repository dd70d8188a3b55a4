// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.fabric.IbFabric;
import io.github.rdma4j.testbed.machine.NodeLink;
import java.io.Closeable;
import java.time.Duration;

/**
 * The link between a port of a node and its switch, in a testbed of several nodes with {@link Testbed.Device#IB}. A link that goes
 * down takes the port of the node to DOWN, and the switch tells the subnet manager; a link that comes up has to be made
 * active by the manager again. Thread-safe.
 */
public final class Link {
    private final int node;
    private final int port;
    private final int station;
    private final IbFabric fabric;

    Link(int node, int port, IbFabric fabric) {
        this.node = node;
        this.port = port;
        station = NodeLink.station(node, port);
        this.fabric = fabric;
    }

    /** Cuts the link until the result is closed. */
    public Closeable cut() {
        fabric.cut(station);
        return new Fault("cut of the " + this, () -> fabric.mend(station));
    }

    /** Trains the link with one lane in place of four, 10 Gb/s as the manager sees it, until the result is closed. */
    public Closeable narrow() {
        fabric.narrow(station, true);
        return new Fault("one lane of the " + this, () -> fabric.narrow(station, false));
    }

    /** Holds back each packet for a time, in each direction, until the result is closed. */
    public Closeable slow(Duration delay) {
        fabric.delay(station, delay);
        return new Fault(delay + " on the " + this, () -> fabric.delay(station, Duration.ZERO));
    }

    @Override
    public String toString() {
        return (port == 1 ? "link" : "link of port " + port) + " of node " + node;
    }
}
