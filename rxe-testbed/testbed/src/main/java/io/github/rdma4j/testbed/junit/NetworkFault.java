// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit;

import io.github.rdma4j.testbed.Netem;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import java.util.ArrayList;
import java.util.List;

/** Changes the queueing discipline of the Ethernet on all nodes, from the first node. */
record NetworkFault(int nodes) {
    void change(Netem.Profile from, Netem.Profile to) throws TestbedException, InterruptedException {
        if (from == to) {
            return;
        }
        if (nodes < 2) {
            throw new IllegalStateException("netem = " + (to == Netem.Profile.NONE ? from : to)
                    + " needs nodes = 2 or more: a frame of a node to itself passes no queue");
        }
        List<String> change = new ArrayList<>();
        if (to == Netem.Profile.NONE) {
            change.addAll(List.of("tc", "qdisc", "del", "dev", "eth0", "root"));
        } else {
            change.addAll(List.of("tc", "qdisc", "replace", "dev", "eth0", "root"));
            change.addAll(List.of(to.netem().toString().split(" ")));
        }
        String unused = Tool.run(change.toArray(String[]::new));
        for (int node = 2; node <= nodes; node++) {
            List<String> there = new ArrayList<>(List.of("testbed-node", String.valueOf(node), "--"));
            there.addAll(change);
            unused = Tool.run(there.toArray(String[]::new));
        }
    }
}
