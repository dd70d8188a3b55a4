// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit;

import java.util.List;

/**
 * What the Ethernet between the nodes does to frames while a test class runs: a queueing discipline of the kernel, tc-netem(8), on
 * every node. Every node applies the fault to the frames that the node sends. A frame of a node to itself passes no queue, so that
 * a fault needs two nodes.
 */
public enum NetemProfile {
    /** Frames arrive as they were sent. */
    NONE(""),
    /** One frame in twenty is lost. */
    LOSS("loss 5%"),
    /** Every frame arrives 20 ms later. */
    DELAY("delay 20ms"),
    /** A quarter of the frames overtake the others, which arrive 10 ms later. */
    REORDER("delay 10ms reorder 25% 50%"),
    /** One frame in ten arrives twice. */
    DUPLICATE("duplicate 10%"),
    /** One frame in a hundred has a bit that is wrong. */
    CORRUPT("corrupt 1%");

    private final String arguments;

    NetemProfile(String arguments) {
        this.arguments = arguments;
    }

    /** The arguments of {@code tc qdisc add dev eth0 root netem}; empty for {@link #NONE}. */
    public List<String> arguments() {
        return arguments.isEmpty() ? List.of() : List.of(arguments.split(" "));
    }
}
