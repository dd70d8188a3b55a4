// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import io.github.rdma4j.testbed.host.Deadline;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.machine.NodeLink;
import io.github.rdma4j.testbed.machine.VirtualEthernet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The place of a guest among guests that other processes run, perhaps in other containers: the first listens in a directory
 * that all share, and the others connect to it.
 *
 * @param node the guest's number, from 1
 * @param directory what the processes share
 */
public record Membership(int node, Path directory) {
    private static final String SOCKET = "ethernet";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int RETRY_MILLIS = 50;

    public Membership {
        if (node < 1 || node > NodeLink.MOST_NODES) {
            throw new IllegalArgumentException("a node is 1 to " + NodeLink.MOST_NODES + ", not " + node);
        }
    }

    /** Connects this process's Ethernet with that of node 1, which may come up a little later. */
    void connect(VirtualEthernet ethernet) throws IOException, TestbedException, InterruptedException {
        Path socket = directory.resolve(SOCKET);
        if (node == 1) {
            if (!Files.isDirectory(directory)) {
                throw new TestbedException("there is no directory " + directory + " to meet the other nodes in");
            }
            ethernet.meetAt(socket);
            return;
        }
        Deadline deadline = Deadline.after(PATIENCE);
        while (!joined(ethernet, socket, deadline)) {
            Thread.sleep(RETRY_MILLIS);
        }
    }

    private boolean joined(VirtualEthernet ethernet, Path socket, Deadline deadline) throws TestbedException {
        try {
            ethernet.join(socket);
            return true;
        } catch (IOException e) {
            if (deadline.expired()) {
                throw new TestbedException(
                        "node 1 has not come up within " + PATIENCE.toSeconds() + " s at " + socket + ": "
                                + e.getMessage(),
                        e);
            }
            return false;
        }
    }
}
