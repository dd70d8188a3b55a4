// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.dispatch.AsyncQueuePair;
import io.github.rdma4j.verbs.dispatch.CompletionDispatcher;
import io.github.rdma4j.verbs.dispatch.DispatcherOptions;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.function.UnaryOperator;

/** Connections of this JVM with itself, whose queue pairs all report to one dispatcher. */
public final class DispatchedPairs implements AutoCloseable {
    static final int BYTES = 4096;

    private static final ConnectionParameters PARAMETERS =
            ConnectionParameters.builder().retryCount(7).rnrRetryCount(7).build();

    private final EventChannel clientEvents = EventChannel.open();
    private final EventChannel serverEvents = EventChannel.open();
    private final CmId listener;
    private final DeviceContext context;
    private final CompletionDispatcher dispatcher;
    private final ProtectionDomain pd;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
    private final MemoryRegion region;

    /**
     * One connection.
     *
     * @param client the end that has connected
     * @param server the other end
     */
    public record Pair(AsyncQueuePair client, AsyncQueuePair server) {}

    public DispatchedPairs(String address, DispatcherOptions options) throws RdmaException {
        listener = Loopback.listen(serverEvents, address);
        context = listener.context();
        dispatcher = CompletionDispatcher.open(context, options);
        pd = context.allocatePd();
        region = pd.registerMr(memory, EnumSet.range(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC));
    }

    public DeviceContext context() {
        return context;
    }

    public CompletionDispatcher dispatcher() {
        return dispatcher;
    }

    public ProtectionDomain pd() {
        return pd;
    }

    ByteBuffer memory() {
        return memory;
    }

    public MemoryRegion region() {
        return region;
    }

    public EventChannel clientEvents() {
        return clientEvents;
    }

    public Pair connect() throws RdmaException, InterruptedException {
        return connect(options -> options);
    }

    public Pair connect(UnaryOperator<QueuePairOptions.Builder> change) throws RdmaException, InterruptedException {
        QueuePairOptions options = change.apply(QueuePairOptions.builder().cq(dispatcher.completionQueue()))
                .build();
        CmId active = Loopback.routed(clientEvents, listener.localAddress().orElseThrow());
        QueuePair client = active.createQp(pd, options);
        active.connect(PARAMETERS);
        CmId passive;
        try (CmEvent request = Events.expect(serverEvents, CmEventType.CONNECT_REQUEST)) {
            passive = request.id();
        }
        QueuePair server = passive.createQp(pd, options);
        passive.accept(PARAMETERS);
        Events.expect(clientEvents, CmEventType.ESTABLISHED);
        Events.expect(serverEvents, CmEventType.ESTABLISHED);
        return new Pair(dispatcher.attach(client), dispatcher.attach(server));
    }

    /** A send of {@code length} bytes from the second half of the memory. */
    public SendWorkRequest message(long wrId, int length) {
        return new SendWorkRequest(1).wrId(wrId).send().add(region, BYTES / 2, length);
    }

    /** A receive of {@code length} bytes into the start of the memory. */
    public ReceiveWorkRequest receive(long wrId, int length) {
        return new ReceiveWorkRequest(1).wrId(wrId).add(region, 0, length);
    }

    @Override
    public void close() throws RdmaException {
        dispatcher.close();
        clientEvents.close(); // with the ids
        serverEvents.close();
        pd.close();
    }
}
