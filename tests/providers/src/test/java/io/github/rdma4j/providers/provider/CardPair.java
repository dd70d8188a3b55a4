// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.RawConnection;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.kernel.CardSettings;
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
import java.util.function.LongFunction;

/** Two connected queue pairs on one completion queue of 15; the device moves when the test says so. */
public final class CardPair implements AutoCloseable {
    public static final int COMPLETIONS = 15;

    private final CardKernel kernel;
    private final DeviceContext context;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
    private final MemoryRegion region;
    private final int pieces;
    private final int inline;
    private final QueuePair client;
    private final QueuePair server;
    private final WorkCompletion[] one = WorkCompletion.array(1);

    public CardPair(CardSettings<?> settings) throws RdmaException {
        this(settings, 4, 64);
    }

    /** As {@link #CardPair(CardSettings)}, with sends of {@code pieces} elements or {@code inline} bytes of inline data. */
    public CardPair(CardSettings<?> settings, int pieces, int inline) throws RdmaException {
        this.pieces = pieces;
        this.inline = inline;
        kernel = settings.start();
        context = kernel.openDevice();
        pd = context.allocatePd();
        cq = context.createCq(COMPLETIONS);
        region = pd.registerMr(buffer, EnumSet.range(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC));
        client = pd.createQp(options());
        server = pd.createQp(options());
        RawConnection.connect(client, server, CardKernel.WAY);
    }

    public QueuePairOptions options() {
        return QueuePairOptions.builder()
                .cq(cq)
                .maxSendSge(pieces)
                .maxInline(inline)
                .build();
    }

    public CardKernel kernel() {
        return kernel;
    }

    public DeviceContext context() {
        return context;
    }

    public ProtectionDomain pd() {
        return pd;
    }

    public CompletionQueue cq() {
        return cq;
    }

    public QueuePair client() {
        return client;
    }

    public QueuePair server() {
        return server;
    }

    public ByteBuffer buffer() {
        return buffer;
    }

    public MemoryRegion region() {
        return region;
    }

    /** A signaled write of 8 bytes from 0 to 64. */
    public SendWorkRequest write(long wrId) {
        return new SendWorkRequest(1)
                .wrId(wrId)
                .rdmaWrite(region.iova() + 64, region.rkey())
                .add(region, 0, 8)
                .signaled();
    }

    /** A signaled read of 8 bytes from {@code from} to 0. */
    public SendWorkRequest read(long wrId, int from) {
        return new SendWorkRequest(1)
                .wrId(wrId)
                .rdmaRead(region.iova() + from, region.rkey())
                .add(region, 0, 8)
                .signaled();
    }

    public ReceiveWorkRequest receive(long wrId) {
        return new ReceiveWorkRequest(1).wrId(wrId).add(region, 128, 64);
    }

    public SendWorkRequest send(long wrId) {
        return new SendWorkRequest(1).wrId(wrId).send().add(region, 0, 8).signaled();
    }

    /** Lets the device do all that it can. */
    public void settle() {
        kernel.card().settle();
    }

    /** The next completion; fails when there is none. */
    public WorkCompletion poll() {
        if (cq.poll(one) != 1) {
            throw new AssertionError("no completion; " + kernel.complaints());
        }
        return one[0];
    }

    public boolean isEmpty() {
        return cq.poll(one) == 0;
    }

    /** Writes the bytes of a completion, whatever they mean. */
    public void forge(ByteBuffer entry) {
        kernel.card().completionQueues().get(0).forge(entry);
    }

    /** Writes a completion for each of {@code values}; they mean nothing, and programs see nothing but how many came. */
    public void assertIgnored(LongFunction<ByteBuffer> completion, long... values) throws RdmaException {
        for (long value : values) {
            forge(completion.apply(value));
        }
        assertThat(isEmpty()).isTrue();
        assertThat(cq.ignoredEntries()).isEqualTo(values.length);
        assertStillWorks();
        assertThat(cq.ignoredEntries()).isEqualTo(values.length);
    }

    /** The device tells that it has failed. */
    public void assertFatal() throws RdmaException, InterruptedException {
        assertThat(context.awaitAsyncEvent(Duration.ofSeconds(30)))
                .map(AsyncEvent::type)
                .contains(AsyncEventType.DEVICE_FATAL);
    }

    /** A write completes, and nothing else does. */
    public void assertStillWorks() throws RdmaException {
        client.postSend(write(7));
        settle();
        assertThat(poll().wrId()).isEqualTo(7);
        assertThat(isEmpty()).isTrue();
    }

    /** Closes a context whose commands fail, as those of a device that is gone do; nothing but objects of the kernel is left. */
    public void closeInVain() {
        assertThatThrownBy(context::close)
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EIO));
        assertThat(kernel.descriptors()).isZero();
        assertThat(kernel.complaints()).isEmpty();
    }

    /** Ends everything, and fails when anything is left or the device has complaints. */
    @Override
    public void close() throws RdmaException {
        context.close();
        kernel.assertClean();
    }
}
