// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it;

import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;

/** A soft-RoCE device on a network device of its own, which a test takes away. The kernel waits for whoever has it open. */
final class RemovableLink implements AutoCloseable {
    static final String DEVICE = "rxe9";
    static final String NETDEV = "veth9";
    static final String ADDRESS = "10.99.0.1";

    private final Netdev netdev;

    private RemovableLink(Netdev netdev) {
        this.netdev = netdev;
    }

    static RemovableLink make() throws InterruptedException {
        RemovableLink link = new RemovableLink(Netdev.dummy(NETDEV, ADDRESS + "/24"));
        link.add();
        return link;
    }

    void add() throws InterruptedException {
        Program.run("rdma", "link", "add", DEVICE, "type", "rxe", "netdev", NETDEV);
        Await.until("the device has its address", RemovableLink::canBind);
    }

    private static boolean canBind() {
        try (EventChannel channel = EventChannel.open()) {
            channel.createId(PortSpace.TCP).bind(new InetSocketAddress(ADDRESS, 0));
            return true;
        } catch (RdmaException notYet) {
            return false;
        }
    }

    /** Begins to take the device away. */
    Program delete() {
        return Program.start("rdma", "link", "delete", DEVICE);
    }

    boolean isThere() throws InterruptedException {
        return Program.run("rdma", "link", "show").contains(DEVICE);
    }

    /** Takes the RDMA device along. */
    @Override
    public void close() {
        netdev.close();
    }
}
