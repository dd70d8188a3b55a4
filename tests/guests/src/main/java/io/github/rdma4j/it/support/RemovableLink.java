// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** A software device on a network device of its own, which a test takes away and may bring back. */
public final class RemovableLink implements AutoCloseable {
    /** The name of one of the type rxe. */
    public static final String DEVICE = "rxe9";

    public static final String NETDEV = "veth9";
    public static final String ADDRESS = "10.99.0.1";

    private final Netdev netdev;
    private final String type;

    private RemovableLink(Netdev netdev, String type) {
        this.netdev = netdev;
        this.type = type;
    }

    public static RemovableLink make() throws InterruptedException {
        return make("rxe");
    }

    /** A device of another type that {@code rdma link add} knows. */
    public static RemovableLink make(String type) throws InterruptedException {
        RemovableLink link = new RemovableLink(Netdev.dummy(NETDEV, ADDRESS + "/24"), type);
        link.add();
        return link;
    }

    private String device() {
        return type + "9";
    }

    public void add() throws InterruptedException {
        Program.run("rdma", "link", "add", device(), "type", type, "netdev", NETDEV);
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

    /** Begins to take the device away, which the kernel does not finish before everybody has let go of it. */
    public Program delete() {
        return Program.start("rdma", "link", "delete", device());
    }

    /** Takes the device away, which this JVM then has let go of. */
    public void remove() throws InterruptedException {
        try (Program deletion = delete()) {
            deletion.success();
        }
        assertThat(isThere()).isFalse();
        assertThat(verbsDescriptors()).isEmpty();
    }

    /** What this JVM has open of verbs devices. */
    public static List<String> verbsDescriptors() {
        return OpenResources.now().stream()
                .filter(name -> !name.endsWith("/rdma_cm"))
                .toList();
    }

    /**
     * Takes the device away while {@code floods} run on {@code ends}. The kernel tells the CM ids and then waits: the ends are closed
     * under the floods, and the device goes.
     */
    public void deleteUnder(Loopback ends, List<Flood> floods) throws Exception {
        List<Await.Running<Long>> threads = new ArrayList<>();
        for (Flood flood : floods) {
            threads.add(flood.start());
        }
        floods.forEach(Flood::awaitFullRate);
        try (Program deletion = delete()) {
            awaitRemoval(ends.client().events(), ends.client().id());
            awaitRemoval(ends.server().events(), ends.server().id());
            ends.close();
            deletion.success();
        }
        for (Await.Running<Long> thread : threads) {
            assertThat(thread.result()).isGreaterThan(2000);
        }
    }

    private static void awaitRemoval(EventChannel events, CmId id) throws Exception {
        boolean told = false;
        while (!told) {
            try (CmEvent event = events.awaitEvent(Await.LIMIT).orElseThrow()) {
                told = event.type() == CmEventType.DEVICE_REMOVAL && event.id() == id;
            }
        }
    }

    public boolean isThere() throws InterruptedException {
        return Program.run("rdma", "link", "show").contains(device());
    }

    /** Takes the RDMA device along. */
    @Override
    public void close() {
        netdev.close();
    }
}
