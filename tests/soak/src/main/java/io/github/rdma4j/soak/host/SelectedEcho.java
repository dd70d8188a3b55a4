// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.VerbsObject;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection of the selected echo server. The server never waits for a single connection. A slot holds a message
 * until its echo is sent.
 */
final class SelectedEcho implements AutoCloseable {
    private static final long IDLE = TimeUnit.SECONDS.toNanos(10);

    private static final long SEND = 1L << 32;

    private final CmId id;
    private final Ledger posted;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(EchoEnd.WINDOW * EchoMessage.MAX);
    private final WorkCompletion[] batch = WorkCompletion.array(EchoEnd.WINDOW);
    private @Nullable CompletionChannel channel;
    private @Nullable CompletionQueue cq;
    private @Nullable QueuePair qp;
    private @Nullable MemoryRegion region;
    private long lastMessage = System.nanoTime();
    private boolean farewell;
    private boolean ending;

    SelectedEcho(CmId id, Violations violations) {
        this.id = id;
        posted = new Ledger("selected echo " + id, violations);
    }

    /** Makes the queues, and posts the receives. */
    CompletionChannel open() throws RdmaException {
        CompletionChannel made = id.context().createCompletionChannel();
        channel = made;
        cq = id.context().createCq(2 * EchoEnd.WINDOW, 0, made);
        qp = id.createQp(QueuePairOptions.builder()
                .cq(cq)
                .maxSendWr(EchoEnd.WINDOW)
                .maxReceiveWr(EchoEnd.WINDOW)
                .build());
        region = id.pd().registerMr(memory, EnumSet.of(Access.LOCAL_WRITE));
        cq.requestNotification(false);
        for (int slot = 0; slot < EchoEnd.WINDOW; slot++) {
            receive(slot);
        }
        return made;
    }

    CompletionChannel channel() {
        return Objects.requireNonNull(channel);
    }

    void accept() throws RdmaException {
        id.accept(EchoEnd.PATIENT);
    }

    boolean isIdle() {
        return System.nanoTime() - lastMessage > IDLE;
    }

    /** After the channel was reported: takes the event and all completions, in the order that loses none. */
    void serve() throws RdmaException, InterruptedException {
        CompletionQueue queue = Objects.requireNonNull(cq);
        channel().awaitEvent(Duration.ZERO);
        queue.requestNotification(false);
        for (int polled = queue.poll(batch); polled > 0; polled = queue.poll(batch)) {
            for (int i = 0; i < polled; i++) {
                take(batch[i]);
            }
        }
    }

    private void take(WorkCompletion completion) throws RdmaException {
        posted.completed(completion.wrId());
        if (!completion.isSuccess()) {
            return; // the connection has ended, or will by an event
        }
        int slot = (int) completion.wrId();
        if ((completion.wrId() & SEND) != 0) {
            if (!ending) { // a connection that ends needs no further receive
                receive(slot);
            }
        } else {
            answer(slot, completion.byteLength());
        }
    }

    private void receive(int slot) throws RdmaException {
        posted.posting(slot);
        try {
            Objects.requireNonNull(qp)
                    .postReceive(new ReceiveWorkRequest(1)
                            .wrId(slot)
                            .add(Objects.requireNonNull(region), (long) slot * EchoMessage.MAX, EchoMessage.MAX));
        } catch (RdmaException | RuntimeException | OutOfMemoryError e) {
            posted.refused(slot);
            throw e;
        }
    }

    private void answer(int slot, int length) throws RdmaException {
        lastMessage = System.nanoTime();
        ByteBuffer message = memory.slice(slot * EchoMessage.MAX, length);
        if (EchoMessage.isFarewell(message)) {
            farewell = true;
            id.disconnect();
            return;
        }
        if (!EchoMessage.isIntact(message)) {
            throw new RdmaException("a message of " + length + " bytes that is no echo message");
        }
        posted.posting(slot | SEND);
        try {
            Objects.requireNonNull(qp)
                    .postSend(new SendWorkRequest(1)
                            .wrId(slot | SEND)
                            .send()
                            .add(Objects.requireNonNull(region), (long) slot * EchoMessage.MAX, length)
                            .signaled());
        } catch (RdmaException | RuntimeException | OutOfMemoryError e) {
            posted.refused(slot | SEND);
            throw e;
        }
    }

    /** The peer has ended the connection, and the queues are being flushed. */
    void disconnected() {
        ending = true;
    }

    /** The device has gone, or a call has failed: the end is no longer orderly, and not every request need complete. */
    void failed() {
        farewell = false;
    }

    /** Everything has completed after an orderly end. */
    boolean isOver() {
        return ending && posted.isSettled();
    }

    /** Closes all objects of the connection. After an orderly end, every request must have completed once. */
    @Override
    public void close() throws RdmaException {
        if (farewell && ending) {
            posted.close();
        }
        FirstFailure failure = new FirstFailure();
        failure.attempt(id::close);
        for (VerbsObject each : Arrays.asList(region, cq, channel)) {
            if (each != null) {
                failure.attempt(each::close);
            }
        }
        failure.throwIfAny();
    }
}
