// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.trace.timeline;

import io.github.rdma4j.lab.trace.recording.Step.Side;

/** The addresses of the testbed's nodes: node N has 10.77.0.N and fd77::N. The client is on node 1. */
final class Nodes {
    private Nodes() {}

    static Side side(String address) {
        return address.endsWith(".1") || address.endsWith(":1") ? Side.CLIENT : Side.SERVER;
    }
}
