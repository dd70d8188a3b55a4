// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.fabric.IbFabric;
import java.io.Closeable;
import java.time.Duration;

/**
 * The link between a node and its switch, in a testbed of several nodes with {@link Testbed.Device#IB}. A link that goes
 * down takes the port of the node to DOWN, and the switch tells the subnet manager; a link that comes up has to be made
 * active by the manager again. Thread-safe.
 */
public final class Link {
    private final int node;
    private final IbFabric fabric;

    Link(int node, IbFabric fabric) {
        this.node = node;
        this.fabric = fabric;
    }

    /** Cuts the link until the result is closed. */
    public Closeable cut() {
        fabric.cut(node);
        return new Fault("cut of the " + this, () -> fabric.mend(node));
    }

    /** Trains the link with one lane in place of four, 10 Gb/s as the manager sees it, until the result is closed. */
    public Closeable narrow() {
        fabric.narrow(node, true);
        return new Fault("one lane of the " + this, () -> fabric.narrow(node, false));
    }

    /** Holds back each packet for a time, in each direction, until the result is closed. */
    public Closeable slow(Duration delay) {
        fabric.delay(node, delay);
        return new Fault(delay + " on the " + this, () -> fabric.delay(node, Duration.ZERO));
    }

    @Override
    public String toString() {
        return "link of node " + node;
    }
}
