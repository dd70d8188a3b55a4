// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.lab.RawConnection;
import io.github.rdma4j.lab.providers.kernel.CardKernel;
import io.github.rdma4j.lab.providers.kernel.CardSettings;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;

/** Two connected queue pairs on one completion queue of 15; the device moves when the test says so. */
final class CardPair implements AutoCloseable {
    static final int COMPLETIONS = 15;

    private final CardKernel kernel;
    private final DeviceContext context;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
    private final MemoryRegion region;
    private final QueuePair client;
    private final QueuePair server;
    private final WorkCompletion[] one = WorkCompletion.array(1);

    CardPair(CardSettings settings) throws RdmaException {
        kernel = settings.start();
        context = kernel.openDevice();
        pd = context.allocatePd();
        cq = context.createCq(COMPLETIONS);
        region = pd.registerMr(buffer, EnumSet.range(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC));
        client = pd.createQp(options());
        server = pd.createQp(options());
        RawConnection.connect(client, server, CardKernel.WAY);
    }

    QueuePairOptions options() {
        return QueuePairOptions.builder().cq(cq).maxSendSge(4).maxInline(64).build();
    }

    CardKernel kernel() {
        return kernel;
    }

    DeviceContext context() {
        return context;
    }

    ProtectionDomain pd() {
        return pd;
    }

    CompletionQueue cq() {
        return cq;
    }

    QueuePair client() {
        return client;
    }

    QueuePair server() {
        return server;
    }

    ByteBuffer buffer() {
        return buffer;
    }

    MemoryRegion region() {
        return region;
    }

    /** A signaled write of 8 bytes from 0 to 64. */
    SendWorkRequest write(long wrId) {
        return new SendWorkRequest(1)
                .wrId(wrId)
                .rdmaWrite(region.iova() + 64, region.rkey())
                .add(region, 0, 8)
                .signaled();
    }

    /** A signaled read of 8 bytes from {@code from} to 0. */
    SendWorkRequest read(long wrId, int from) {
        return new SendWorkRequest(1)
                .wrId(wrId)
                .rdmaRead(region.iova() + from, region.rkey())
                .add(region, 0, 8)
                .signaled();
    }

    ReceiveWorkRequest receive(long wrId) {
        return new ReceiveWorkRequest(1).wrId(wrId).add(region, 128, 64);
    }

    SendWorkRequest send(long wrId) {
        return new SendWorkRequest(1).wrId(wrId).send().add(region, 0, 8).signaled();
    }

    /** Lets the device do all that it can. */
    void settle() {
        kernel.card().settle();
    }

    /** The next completion; fails when there is none. */
    WorkCompletion poll() {
        if (cq.poll(one) != 1) {
            throw new AssertionError("no completion; " + kernel.complaints());
        }
        return one[0];
    }

    boolean isEmpty() {
        return cq.poll(one) == 0;
    }

    /** The device tells that it has failed. */
    void assertFatal() throws RdmaException, InterruptedException {
        assertThat(context.awaitAsyncEvent(Duration.ofSeconds(10)))
                .map(AsyncEvent::type)
                .contains(AsyncEventType.DEVICE_FATAL);
    }

    /** A write completes, and nothing else does. */
    void assertStillWorks() throws RdmaException {
        client.postSend(write(7));
        settle();
        assertThat(poll().wrId()).isEqualTo(7);
        assertThat(isEmpty()).isTrue();
    }

    /** Ends everything, and fails when anything is left or the device has complaints. */
    @Override
    public void close() throws RdmaException {
        context.close();
        kernel.assertClean();
    }
}
