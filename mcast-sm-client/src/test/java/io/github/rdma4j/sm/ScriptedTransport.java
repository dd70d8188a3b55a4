// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.internal.mad.SaHeader;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.SaStatus;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.umad.MadAddress;
import io.github.rdma4j.umad.MadTransport;
import io.github.rdma4j.umad.ReceivedMad;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.LinkLayer;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A port whose other end is the test: what is sent waits in {@link #next}, what arrives is {@link #deliver}ed. Nothing is
 * answered by itself. Safe for several threads.
 */
public final class ScriptedTransport implements MadTransport {
    /** Where subnet administration is at first. */
    public static final int SM_LID = 1;

    private static final Gid GID = new Gid(0xfe80_0000_0000_0000L, 0x0002_c903_00a0_0004L);
    private static final long PATIENCE_SECONDS = 60;
    private static final ReceivedMad END =
            new ReceivedMad(-1, MadAddress.generalServices(0, 0), ByteBuffer.allocate(0));

    private final boolean reassembles;
    private final BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();
    private final BlockingQueue<ReceivedMad> received = new LinkedBlockingQueue<>();
    private volatile LocalPort port = port(LinkLayer.INFINIBAND, SM_LID, List.of(0xffff));
    private volatile boolean listening;
    private volatile boolean closed;
    private final Queue<Throwable> passingFailures = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Throwable sendFailure;
    private volatile @Nullable Throwable receiveFailure;

    /** {@code reassembles}: long answers come whole, as from a kernel that does RMPP. */
    public ScriptedTransport(boolean reassembles) {
        this.reassembles = reassembles;
    }

    /** Something that was sent. */
    public record Sent(MadAddress to, ByteBuffer mad, Duration timeout) {
        public MadHeader header() {
            return must(() -> MadHeader.decode(mad));
        }

        public RmppHeader rmpp() {
            return must(() -> RmppHeader.decode(mad));
        }
    }

    @FunctionalInterface
    private interface Decode<T> {
        T get() throws RdmaException;
    }

    private static <T> T must(Decode<T> decode) {
        try {
            return decode.get();
        } catch (RdmaException e) {
            throw new AssertionError(e);
        }
    }

    // ---- the script

    /** What was sent next; waits for it. */
    public Sent next() throws InterruptedException {
        Sent next = sent.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing was sent");
        }
        return next;
    }

    /** How many of those sent nobody asked for. */
    public int waiting() {
        return sent.size();
    }

    public void deliver(MadAddress from, ByteBuffer mad) {
        received.add(new ReceivedMad(0, from, mad));
    }

    /** Tells that {@code request} found no answer, as a kernel does: with its header alone. */
    public void deliverNoAnswer(Sent request) {
        ByteBuffer header = ByteBuffer.allocate(MadHeader.Layout.BYTES).put(0, request.mad(), 0, 24);
        received.add(new ReceivedMad(ReceivedMad.NO_ANSWER, request.to(), header));
    }

    /** Answers {@code request}; the upper half of the transaction id comes back changed. */
    public void answer(Sent request, int status, int attributeOffset, byte[] data) {
        deliver(request.to(), answerTo(request, status, attributeOffset, data));
    }

    /** An answer to {@code request}, of one MAD or as long as the data needs. */
    public static ByteBuffer answerTo(Sent request, int status, int attributeOffset, byte[] data) {
        ByteBuffer mad = ByteBuffer.allocate(Math.max(MadHeader.MAD_BYTES, SaHeader.Layout.END + data.length));
        mad.put(0, request.mad(), 0, SaHeader.Layout.END);
        mad.put(MadHeader.Layout.METHOD, (byte)
                SaMethods.responseTo(request.header().method()));
        mad.putShort(MadHeader.Layout.STATUS, (short) status);
        mad.putInt(MadHeader.Layout.TRANSACTION_ID, 0x0007_0042);
        mad.putShort(SaHeader.Layout.ATTRIBUTE_OFFSET, (short) attributeOffset);
        mad.put(SaHeader.Layout.END, data);
        return mad;
    }

    /** Sends {@code request} elsewhere. */
    public void redirect(Sent request, int lid, int sl, int qpn, int qkey, int pkey) {
        ByteBuffer info = ByteBuffer.allocate(72);
        info.putInt(24, sl << 20);
        info.putShort(28, (short) lid);
        info.putShort(30, (short) pkey);
        info.putInt(32, qpn);
        info.putInt(36, qkey);
        answer(request, SaStatus.REDIRECT, 0, info.array());
    }

    /** A port with a subnet manager at {@code smLid}, reached with service level 2. */
    public static LocalPort port(LinkLayer linkLayer, int smLid, List<Integer> pkeys) {
        return new LocalPort("scripted0", 1, PortAttr.State.ACTIVE.code(), linkLayer, 4, 0, smLid, 2, GID, pkeys);
    }

    /** What {@link #port()} tells from now on. */
    public ScriptedTransport port(LocalPort now) {
        port = now;
        return this;
    }

    /** Sending fails from now on. */
    public void failSending(@Nullable Throwable failure) {
        sendFailure = failure;
    }

    /** Receiving fails from the next time on. */
    public void failReceiving(Throwable failure) {
        receiveFailure = failure;
        received.add(END);
    }

    /** Receiving fails once. */
    public void failReceivingOnce(Throwable failure) {
        passingFailures.add(failure);
        received.add(END);
    }

    /** Delivers only the first segment of the answer to {@code request}, for the reason that {@code status} tells. */
    public void refuse(Sent request, int status) {
        received.add(new ReceivedMad(status, request.to(), answerTo(request, 0, 0, new byte[0])));
    }

    private static void fail(@Nullable Throwable failure) throws RdmaException {
        if (failure instanceof RdmaException e) {
            throw e;
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
    }

    /** Answers the next request from another thread, while this one waits for the answer. */
    public CompletableFuture<Void> answerNext(byte[] data) {
        return CompletableFuture.runAsync(() -> {
            try {
                answer(next(), 0, 0, data);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    /** When this returns, {@code client} has looked at everything delivered before. */
    public void barrier(SaClient client) throws Exception {
        CompletableFuture<ClassPortInfo> last = client.submit(SaRequest.classPortInfo());
        answer(next(), 0, 0, new byte[72]);
        last.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** What {@code future} fails with; waits for it. */
    public static Throwable failureOf(CompletableFuture<?> future) throws InterruptedException {
        try {
            future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("it is never completed", e);
        }
        throw new AssertionError("it did not fail");
    }

    /** An error that the handler of uncaught exceptions prints in one line. */
    static final class QuietError extends Error {
        private static final long serialVersionUID = 1L;

        QuietError() {
            super("thrown by a listener in a test", null, false, false);
        }
    }

    public boolean isListening() {
        return listening;
    }

    public boolean isClosed() {
        return closed;
    }

    // ---- the transport

    @Override
    public LocalPort port() {
        return port;
    }

    @Override
    public void send(MadAddress to, ByteBuffer mad, Duration timeout, int retries) throws RdmaException {
        fail(sendFailure);
        if (closed) {
            throw new IllegalStateException("scripted0 is closed");
        }
        ByteBuffer copy =
                ByteBuffer.allocate(mad.remaining()).put(mad.duplicate()).flip();
        sent.add(new Sent(to, copy, timeout));
    }

    @Override
    public Optional<ReceivedMad> receive(Duration timeout, int maxBytes) throws RdmaException, InterruptedException {
        ReceivedMad mad = received.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
        fail(receiveFailure);
        fail(passingFailures.poll());
        if (closed) {
            throw new ClosedWhileWaitingException("scripted0");
        }
        return END.equals(mad) ? Optional.empty() : Optional.ofNullable(mad);
    }

    @Override
    public boolean reassembles() {
        return reassembles;
    }

    @Override
    public void listenForReports() {
        listening = true;
    }

    @Override
    public void close() {
        closed = true;
        received.add(END);
    }
}
