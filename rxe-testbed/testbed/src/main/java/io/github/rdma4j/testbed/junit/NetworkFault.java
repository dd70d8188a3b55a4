// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit;

import io.github.rdma4j.testbed.Netem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Changes the queueing discipline of the Ethernet on all nodes, from the first node. */
record NetworkFault(int nodes) {
    void change(Netem.Profile from, Netem.Profile to) throws IOException, InterruptedException {
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
        GuestTool.run(change);
        for (int node = 2; node <= nodes; node++) {
            List<String> there = new ArrayList<>(List.of("testbed-node", String.valueOf(node), "--"));
            there.addAll(change);
            GuestTool.run(there);
        }
    }

    /** Runs programs in the guest, beside the tests. */
    static final class GuestTool {
        private static final List<String> WITH_SBIN =
                List.of("/bin/sh", "-c", "PATH=$PATH:/usr/sbin:/sbin exec \"$@\"", "sh");

        private GuestTool() {}

        /** Runs a program to its end and returns its output. */
        static String run(List<String> words) throws IOException, InterruptedException {
            List<String> command = new ArrayList<>(WITH_SBIN);
            command.addAll(words);
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String text;
            try (InputStream in = process.getInputStream()) {
                text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
            process.getErrorStream().close();
            int status = process.waitFor();
            if (status != 0) {
                throw new IOException(String.join(" ", words) + " ended with status " + status + ": " + text.strip());
            }
            return text;
        }
    }
}
