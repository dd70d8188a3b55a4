// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.raw;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.research.semantics.guest.Adapter;
import io.github.rdma4j.verbs.attr.QueuePairType;
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
        int listener = create(servers, LISTENER);
        servers.bind(listener, address).orFail("BIND");
        servers.listen(listener, BACKLOG).orFail("LISTEN");
        int client = routed();
        path = Arrays.copyOfRange(
                clients.queryPath(client).orFail("QUERY").reply(), PATH_OFFSET, PATH_OFFSET + PATH_BYTES);
        clients.destroyId(client).orFail("DESTROY_ID");
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

    private static int create(RawCm cm, long uid) {
        return cm.createId(uid, PortSpace.TCP.code(), QueuePairType.RC.code())
                .orFail("CREATE_ID")
                .first();
    }

    private static ConnParam parameters() {
        return new ConnParam(RawCm.newQpNumber(), 0, new byte[0], false, 1, 1, 0, 7, 7);
    }

    private static RawEvent expect(RawCm cm, int type) throws RdmaException, InterruptedException {
        return check(next(cm, type), type);
    }

    private static RawEvent next(RawCm cm, int type) throws RdmaException, InterruptedException {
        return cm.awaitEvent(RawCm.LIMIT).orElseThrow(() -> new AssertionError("fence: no event of type " + type));
    }

    private static RawEvent check(RawEvent event, int type) {
        if (!event.is(type)) {
            throw new AssertionError("fence: " + event + " instead of type " + type);
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
        int id = create(cm, uid);
        cm.resolveAddr(id, null, new InetSocketAddress(Adapter.IPV4, UNUSED_PORT), TIMEOUT)
                .orFail("RESOLVE_ADDR of the fence");
        collect(cm, uid, CmEventType.ADDR_RESOLVED.code(), others);
        cm.resolveRoute(id, TIMEOUT).orFail("RESOLVE_ROUTE of the fence");
        collect(cm, uid, CmEventType.ROUTE_RESOLVED.code(), others);
        cm.connect(id, parameters()).orFail("CONNECT of the fence");
        collect(cm, uid, CmEventType.REJECTED.code(), others);
        cm.destroyId(id).orFail("DESTROY_ID of the fence");
        return others;
    }

    /** Fetches events up to the next one of the fence, which must be of this type. */
    private static void collect(RawCm cm, long uid, int type, List<RawEvent> others)
            throws RdmaException, InterruptedException {
        RawEvent event = next(cm, type);
        while (event.uid() != uid) {
            others.add(event);
            event = next(cm, type);
        }
        check(event, type);
    }

    private int routed() throws RdmaException, InterruptedException {
        int client = create(clients, CLIENT);
        clients.resolveAddr(client, null, address, TIMEOUT).orFail("RESOLVE_ADDR");
        expect(clients, CmEventType.ADDR_RESOLVED.code());
        if (asksNobody) {
            clients.setOption(client, 1, 1, path).orFail("SET_OPTION IB_PATH");
        } else {
            clients.resolveRoute(client, TIMEOUT).orFail("RESOLVE_ROUTE");
        }
        expect(clients, CmEventType.ROUTE_RESOLVED.code());
        return client;
    }

    private int requested(int client) throws RdmaException, InterruptedException {
        clients.connect(client, parameters()).orFail("CONNECT");
        return expect(servers, CmEventType.CONNECT_REQUEST.code()).id();
    }

    /** Returns when all that commands before this call have set off has arrived in the queues of their descriptors. */
    public void pass() throws RdmaException, InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            int client = routed();
            int child = requested(client);
            servers.reject(child).orFail("REJECT");
            expect(clients, CmEventType.REJECTED.code());
            servers.destroyId(child).orFail("DESTROY_ID");
            clients.destroyId(client).orFail("DESTROY_ID");
        }
    }

    /**
     * The same for timers: returns when a connection that was ended now by both sides has left its time-wait, which all
     * others have entered before it and which lasts as long for all of them.
     */
    public void passTimeWait() throws RdmaException, InterruptedException {
        int client = routed();
        int child = requested(client);
        servers.accept(child, CHILD, parameters()).orFail("ACCEPT");
        expect(clients, CmEventType.CONNECT_RESPONSE.code());
        clients.establish(client).orFail("ACCEPT");
        expect(servers, CmEventType.ESTABLISHED.code());
        clients.disconnect(client).orFail("DISCONNECT");
        expect(servers, CmEventType.DISCONNECTED.code());
        servers.disconnect(child).orFail("DISCONNECT");
        expect(clients, CmEventType.DISCONNECTED.code());
        expect(clients, CmEventType.TIMEWAIT_EXIT.code());
        expect(servers, CmEventType.TIMEWAIT_EXIT.code());
        servers.destroyId(child).orFail("DESTROY_ID");
        clients.destroyId(client).orFail("DESTROY_ID");
        pass();
    }

    @Override
    public void close() {
        clients.close();
        servers.close();
    }
}
