// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.soak.host.EchoClient.DataMismatchException;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.WorkCompletionException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;

/**
 * One end of an echo connection, used by one thread: the memory, the receives that are posted before the connection is
 * made, and the ledgers that see every completion.
 */
final class EchoEnd implements AutoCloseable {
    /** Messages under way at the same time. */
    static final int WINDOW = 8;

    /** A receive is posted again only after its echo is sent, so a peer may find no receive posted. */
    static final ConnectionParameters PATIENT =
            ConnectionParameters.builder().retryCount(7).rnrRetryCount(7).build();

    /** For each step of a connection. */
    static final Duration STEP = Duration.ofSeconds(60);

    private static final Duration FLUSH = Duration.ofSeconds(60);

    private final CmQueues queues;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(2 * WINDOW * EchoMessage.MAX);
    private final MemoryRegion region;
    private final Ledger sends;
    private final Ledger receives;
    private long nextReceive;
    private long nextSend;

    /** The peer has ended the connection: the receives are flushed. */
    static final class EndedException extends RdmaException {
        private static final long serialVersionUID = 1L;

        EndedException() {
            super("the echo connection has ended");
        }
    }

    /** A queue pair with room for the window in both directions. */
    static QueuePairOptions queuePair() {
        return QueuePairOptions.builder().maxSendWr(WINDOW).maxReceiveWr(WINDOW).build();
    }

    /** Options for either side of a connection on a loop, which gets an echo end. */
    static ConnectOptions options(Violations violations) {
        return ConnectOptions.builder()
                .timeout(STEP)
                .queuePair(queuePair())
                .prepare(connection -> {
                    EchoEnd end = new EchoEnd(connection.id(), violations);
                    connection.id().attach(end);
                    connection.own(end);
                })
                .build();
    }

    /** The echo end of a connection that was made with {@link #options}. */
    static EchoEnd of(CmConnection connection) {
        return (EchoEnd) Objects.requireNonNull(connection.id().attachment());
    }

    /** Registers memory and posts the receives; the id has its queue pair. */
    EchoEnd(CmId id, Violations violations) throws RdmaException {
        queues = id.queues();
        sends = new Ledger("sends of " + id, violations);
        receives = new Ledger("receives of " + id, violations);
        region = queues.registerMessages(memory);
        try {
            for (int i = 0; i < WINDOW; i++) {
                postReceive();
            }
        } catch (RdmaException | RuntimeException | OutOfMemoryError e) {
            region.close();
            throw e;
        }
    }

    private static int receiveOffset(long number) {
        return (int) (number % WINDOW) * EchoMessage.MAX;
    }

    private static int sendOffset(long number) {
        return WINDOW * EchoMessage.MAX + receiveOffset(number);
    }

    private void postReceive() throws RdmaException {
        long wrId = nextReceive++;
        receives.posting(wrId);
        try {
            queues.postReceive(wrId, region, receiveOffset(wrId), EchoMessage.MAX);
        } catch (RdmaException | RuntimeException | OutOfMemoryError e) {
            receives.refused(wrId);
            throw e;
        }
    }

    private void postSend(int length) throws RdmaException {
        long wrId = nextSend++;
        sends.posting(wrId);
        try {
            queues.postSend(wrId, region, sendOffset(wrId), length);
        } catch (RdmaException | RuntimeException | OutOfMemoryError e) {
            sends.refused(wrId);
            throw e;
        }
    }

    /** The next message; empty when none has come in time. Its memory is reused when the receive is posted again. */
    private Optional<ByteBuffer> receive(Duration limit) throws RdmaException, InterruptedException {
        Optional<WorkCompletion> completion = queues.awaitReceiveCompletion(limit);
        if (completion.isEmpty()) {
            return Optional.empty();
        }
        WorkCompletion done = completion.get();
        receives.completed(done.wrId());
        requireSuccess(done);
        return Optional.of(memory.slice(receiveOffset(done.wrId()), done.byteLength()));
    }

    private void completeSend(Duration limit) throws RdmaException, InterruptedException {
        WorkCompletion done = queues.awaitSendCompletion(limit)
                .orElseThrow(() -> new RdmaException("no completion of a send within " + limit));
        sends.completed(done.wrId());
        requireSuccess(done);
    }

    private void requireSuccess(WorkCompletion done) throws RdmaException {
        if (!done.isSuccess()) {
            throw done.statusName().contains("FLUSH") ? new EndedException() : new WorkCompletionException(done);
        }
    }

    /**
     * Sends every message back until the client says farewell; throws when the connection ends without, a message is
     * bad, or nothing has come for {@code idle}.
     */
    void serve(Duration idle) throws RdmaException, InterruptedException {
        while (true) {
            Optional<ByteBuffer> message = receive(idle);
            if (message.isEmpty()) {
                throw new RdmaException("nothing has come for " + idle.toSeconds() + " s");
            }
            ByteBuffer bytes = message.get();
            if (EchoMessage.isFarewell(bytes)) {
                return;
            }
            if (!EchoMessage.isIntact(bytes)) {
                throw new RdmaException("a message of " + bytes.capacity() + " bytes that is no echo message");
            }
            memory.put(sendOffset(nextSend), bytes, 0, bytes.capacity());
            // First, so that the peer never finds no receive for the message that follows the echo.
            postReceive();
            postSend(bytes.capacity());
            completeSend(idle);
        }
    }

    /**
     * Sends messages and compares what comes back.
     *
     * @throws DataMismatchException when a message came back other than it went
     */
    void exchange(int count, Random random, Duration limit)
            throws RdmaException, InterruptedException, DataMismatchException {
        int sent = 0;
        for (int received = 0; received < count; received++) {
            for (; sent < count && sent - received < WINDOW; sent++) {
                int length = EchoMessage.HEADER + random.nextInt(EchoMessage.MAX - EchoMessage.HEADER + 1);
                EchoMessage.fill(memory.slice(sendOffset(nextSend), length), nextSend, random);
                postSend(length);
                completeSend(limit);
            }
            compare(limit);
            postReceive();
        }
    }

    /** Tells the server that this was the last message. A blocking id gets no event at the end of its connection. */
    void sayFarewell(Duration limit) throws RdmaException, InterruptedException {
        EchoMessage.fillFarewell(memory.slice(sendOffset(nextSend), EchoMessage.HEADER));
        postSend(EchoMessage.HEADER);
        completeSend(limit);
    }

    private void compare(Duration limit) throws RdmaException, InterruptedException, DataMismatchException {
        ByteBuffer echo = receive(limit).orElseThrow(() -> new RdmaException("no echo within " + limit));
        long number = nextReceive - WINDOW;
        ByteBuffer original = memory.slice(sendOffset(number), echo.capacity());
        if (!EchoMessage.isIntact(echo) || !echo.equals(original)) {
            throw new DataMismatchException("echo " + number + " of " + echo.capacity() + " bytes differs at byte "
                    + original.mismatch(echo) + " and says that it is number " + EchoMessage.number(echo));
        }
    }

    /**
     * After the connection has ended: takes the completions of all that is still posted, each of which must come once.
     * The caller has disconnected the id or moved its queue pair to the error state.
     */
    void settle() throws RdmaException, InterruptedException {
        boolean more = true;
        while (more && !receives.isSettled()) {
            more = complete(receives, queues.awaitReceiveCompletion(FLUSH));
        }
        more = true;
        while (more && !sends.isSettled()) {
            more = complete(sends, queues.awaitSendCompletion(FLUSH));
        }
        receives.close();
        sends.close();
    }

    private static boolean complete(Ledger ledger, Optional<WorkCompletion> done) {
        done.ifPresent(completion -> ledger.completed(completion.wrId()));
        return done.isPresent();
    }

    @Override
    public void close() throws RdmaException {
        region.close();
    }
}
