// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The queueing discipline of the Ethernet between the nodes, changed from the first node on all of them. */
record NetworkFault(int nodes) {
    void change(NetemProfile from, NetemProfile to) throws IOException, InterruptedException {
        if (from == to) {
            return;
        }
        if (nodes < 2) {
            throw new IllegalStateException("netem = " + (to == NetemProfile.NONE ? from : to)
                    + " needs nodes = 2 or more: a frame of a node to itself passes no queue");
        }
        List<String> change = new ArrayList<>();
        if (to == NetemProfile.NONE) {
            change.addAll(List.of("tc", "qdisc", "del", "dev", "eth0", "root"));
        } else {
            change.addAll(List.of("tc", "qdisc", "replace", "dev", "eth0", "root", "netem"));
            change.addAll(to.arguments());
        }
        GuestTool.run(change);
        for (int node = 2; node <= nodes; node++) {
            List<String> there = new ArrayList<>(List.of("testbed-node", String.valueOf(node), "--"));
            there.addAll(change);
            GuestTool.run(there);
        }
    }
}
