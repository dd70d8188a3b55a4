// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The connection for control messages. The client sends first; the server answers with the same number of bytes. For
 * one thread.
 */
final class ControlLink {
    /** The number of messages that may arrive before this side reads the first. */
    static final int DEPTH = 4;

    /** More than the longest message, so that a longer message is detected. */
    private static final int SLOT = 256;

    private final CmConnection connection;
    private final boolean client;
    private final ByteBuffer memory = ByteBuffer.allocateDirect((DEPTH + 1) * SLOT);
    private final MemoryRegion region;

    /** Prepares a connection, so that the peer's first message finds a receive. */
    ControlLink(CmConnection connection, boolean client) throws RdmaException {
        this.connection = connection;
        this.client = client;
        region = connection.own(connection.queues().registerMessages(memory));
        for (int slot = 0; slot < DEPTH; slot++) {
            post(slot);
        }
    }

    private void post(int slot) throws RdmaException {
        connection.queues().postReceive(slot, region, (long) slot * SLOT, SLOT);
    }

    boolean isClient() {
        return client;
    }

    /** Sends a message and returns the peer's message, which has the same length. */
    ByteBuffer exchange(ByteBuffer message, String what, Duration limit) throws RdmaException, InterruptedException {
        List<Integer> length = List.of(message.remaining());
        if (client) {
            send(message, what, limit);
            return receive(length, what, limit);
        }
        ByteBuffer answer = receive(length, what, limit);
        send(message, what, limit);
        return answer;
    }

    /** Receives a message of the peer, which must have one of the lengths. */
    ByteBuffer receive(List<Integer> lengths, String what, Duration limit) throws RdmaException, InterruptedException {
        WorkCompletion received = require(connection.queues().awaitReceiveCompletion(limit), what, limit);
        int length = received.byteLength();
        if (!lengths.contains(length)) {
            String wanted = lengths.stream().map(String::valueOf).collect(Collectors.joining(" or "));
            throw PeerFailure.foreign("it sent " + length + " bytes instead of " + wanted + " " + what);
        }
        int slot = (int) received.wrId();
        ByteBuffer message = ByteBuffer.allocate(length).put(0, memory, slot * SLOT, length);
        post(slot);
        return message;
    }

    /**
     * Sends a message. A send that is flushed may have arrived: a peer that has all it needs disconnects, and this may overtake
     * the acknowledgement. If the peer is gone before, the next message is missing.
     */
    void send(ByteBuffer message, String what, Duration limit) throws RdmaException, InterruptedException {
        memory.put(DEPTH * SLOT, message, message.position(), message.remaining());
        connection.queues().postSend(DEPTH, region, (long) DEPTH * SLOT, message.remaining());
        Optional<WorkCompletion> sent = connection.queues().awaitSendCompletion(limit);
        if (sent.isEmpty() || sent.get().status() != WorkCompletionStatus.WR_FLUSH_ERR) {
            require(sent, what, limit);
        }
    }

    private static WorkCompletion require(Optional<WorkCompletion> found, String what, Duration limit)
            throws RdmaException {
        WorkCompletion completion = found.orElseThrow(() -> PeerFailure.silent(what, limit));
        if (!completion.isSuccess()) {
            throw PeerFailure.of(completion, what);
        }
        return completion;
    }
}
