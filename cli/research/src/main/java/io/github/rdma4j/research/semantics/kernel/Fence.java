// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.kernel;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Waits until all pending events have arrived.
 *
 * <p>What a command sets off goes through three queues of the kernel: addresses are resolved in the work queue of
 * {@code ib_addr}, routes and multicast joins in the one of {@code rdma_cm}, and messages travel through the device's
 * queue pair 1 and are handled in the queue of {@code ib_cm}. The fence is a separate connection attempt that is made
 * after the command and passes through the same queues behind it: it resolves an address and a route, sends a request,
 * and has it rejected, so that a message goes each way. No command sets off more than two messages without another
 * command, and {@code ib_cm} may overtake itself between processors: the attempt is made three times, one after the
 * other.
 */
public final class Fence implements AutoCloseable {
    private static final int ROUNDS = 3;

    private static final long LISTENER = 1;
    private static final long CLIENT = 2;
    private static final long CHILD = 3;
    private static final int BACKLOG = 16;
    private static final int UNUSED_PORT = 1;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int PATH_OFFSET = 8;
    private static final int PATH_BYTES = 72;

    /** In {@code struct ib_path_rec_data}. */
    private static final int DLID_OFFSET = 48;

    private static final byte NOBODY = 0x55;

    private final RawCm clients = RawCm.open();
    private final RawCm servers = RawCm.open();
    private final InetSocketAddress address = Adapter.newAddress();
    private final byte[] path;
    private boolean asksNobody;

    /** Opens descriptors for the attempts. */
    public Fence() throws RdmaException, InterruptedException {
        RawId listener = RawId.create(servers, LISTENER, PortSpace.TCP);
        listener.bind(address).orFail("BIND");
        listener.listen(BACKLOG).orFail("LISTEN");
        RawId client = routed();
        path = Arrays.copyOfRange(client.queryPath().orFail("QUERY").reply(), PATH_OFFSET, PATH_OFFSET + PATH_BYTES);
        client.destroy().orFail("DESTROY_ID");
    }

    /** A path that leads from the device to itself, as SET_OPTION takes it. */
    public byte[] path() {
        return path.clone();
    }

    /** Whether its attempts take the path from here on that the first one has found, and ask no subnet manager. */
    public void askNobody(boolean nobody) {
        asksNobody = nobody;
    }

    /** The path with a LID as destination that no port has. */
    public static byte[] toNobody(byte[] path) {
        byte[] other = path.clone();
        other[DLID_OFFSET] = 0;
        other[DLID_OFFSET + 1] = NOBODY;
        return other;
    }

    private static RawEvent expect(RawCm cm, CmEventType type) throws RdmaException, InterruptedException {
        return check(next(cm, type), type);
    }

    private static RawEvent next(RawCm cm, CmEventType type) throws RdmaException, InterruptedException {
        return cm.awaitEvent(RawCm.LIMIT).orElseThrow(() -> new AssertionError("fence: no event " + type));
    }

    private static RawEvent check(RawEvent event, CmEventType type) {
        if (!event.is(type)) {
            throw new AssertionError("fence: " + event + " instead of " + type);
        }
        return event;
    }

    /**
     * Returns the pending events of a descriptor without waiting for a time-out: a new id with this uid resolves its
     * address and route and is rejected by a port without a listener. Returns the events of other ids that came before
     * the rejection; on one descriptor events come in the order of what set them off.
     */
    public static List<RawEvent> eventsBefore(RawCm cm, long uid) throws RdmaException, InterruptedException {
        List<RawEvent> others = new ArrayList<>();
        RawId id = RawId.create(cm, uid, PortSpace.TCP);
        id.resolveAddr(null, new InetSocketAddress(Adapter.IPV4, UNUSED_PORT), TIMEOUT)
                .orFail("RESOLVE_ADDR of the fence");
        collect(id, CmEventType.ADDR_RESOLVED, others);
        id.resolveRoute(TIMEOUT).orFail("RESOLVE_ROUTE of the fence");
        collect(id, CmEventType.ROUTE_RESOLVED, others);
        id.connect(RawCm.parameters()).orFail("CONNECT of the fence");
        collect(id, CmEventType.REJECTED, others);
        id.destroy().orFail("DESTROY_ID of the fence");
        return others;
    }

    /** Fetches events up to the next one of the fence, which must be of this type. */
    private static void collect(RawId id, CmEventType type, List<RawEvent> others)
            throws RdmaException, InterruptedException {
        RawEvent event = next(id.cm(), type);
        while (event.uid() != id.uid()) {
            others.add(event);
            event = next(id.cm(), type);
        }
        check(event, type);
    }

    private RawId routed() throws RdmaException, InterruptedException {
        RawId client = RawId.create(clients, CLIENT, PortSpace.TCP);
        client.resolveAddr(null, address, TIMEOUT).orFail("RESOLVE_ADDR");
        expect(clients, CmEventType.ADDR_RESOLVED);
        if (asksNobody) {
            client.setOption(1, 1, path).orFail("SET_OPTION IB_PATH");
        } else {
            client.resolveRoute(TIMEOUT).orFail("RESOLVE_ROUTE");
        }
        expect(clients, CmEventType.ROUTE_RESOLVED);
        return client;
    }

    private RawId requested(RawId client) throws RdmaException, InterruptedException {
        client.connect(RawCm.parameters()).orFail("CONNECT");
        return new RawId(servers, expect(servers, CmEventType.CONNECT_REQUEST).id(), CHILD);
    }

    /** Returns when all that commands before this call have set off has arrived in the queues of their descriptors. */
    public void pass() throws RdmaException, InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            RawId client = routed();
            RawId child = requested(client);
            child.reject().orFail("REJECT");
            expect(clients, CmEventType.REJECTED);
            child.destroy().orFail("DESTROY_ID");
            client.destroy().orFail("DESTROY_ID");
        }
    }

    /**
     * The same for timers: returns when a connection that was ended now by both sides has left its time-wait, which all
     * others have entered before it and which lasts as long for all of them.
     */
    public void passTimeWait() throws RdmaException, InterruptedException {
        RawId client = routed();
        RawId child = requested(client);
        child.accept(RawCm.parameters()).orFail("ACCEPT");
        expect(clients, CmEventType.CONNECT_RESPONSE);
        client.establish().orFail("ACCEPT");
        expect(servers, CmEventType.ESTABLISHED);
        client.disconnect().orFail("DISCONNECT");
        expect(servers, CmEventType.DISCONNECTED);
        child.disconnect().orFail("DISCONNECT");
        expect(clients, CmEventType.DISCONNECTED);
        expect(clients, CmEventType.TIMEWAIT_EXIT);
        expect(servers, CmEventType.TIMEWAIT_EXIT);
        child.destroy().orFail("DESTROY_ID");
        client.destroy().orFail("DESTROY_ID");
        pass();
    }

    @Override
    public void close() {
        clients.close();
        servers.close();
    }
}
