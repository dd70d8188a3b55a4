// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.End;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Messages that prove themselves, as many at a time as the queues take: each has its number, its length and a checksum. Every
 * fourth request of the sender is an RDMA read of what the receiver offers. Both sides demand that their requests complete
 * exactly once and in order.
 */
final class VerifiedStream {
    /** Requests in flight. */
    static final int WINDOW = 48;

    /** Receives that are posted: more than the sender sends before it hears of the receiver. */
    static final int RECEIVES = 4 * WINDOW;

    static final int SLOT_BYTES = 4096;

    /** What an {@link End} on either side needs. */
    static final int BUFFER_BYTES = (RECEIVES + 1) * SLOT_BYTES;

    static final int CQ_ENTRIES = 2 * RECEIVES;

    /** Where the memory lies that the receiver offers. */
    static final int OFFERED = RECEIVES * SLOT_BYTES;

    /**
     * A single packet. When frames were lost or overtaken, soft-RoCE of Linux 7.2 was seen to place wrong bytes for reads of
     * four packets, or to fail them; the kernel alone repeats requests and places data.
     */
    private static final int READ_BYTES = 1000;

    private static final int HEADER = 2 * Long.BYTES;
    private static final int READ_EVERY = 4;

    private final End end;
    private final Receives receives;
    private final WorkCompletion[] batch = WorkCompletion.array(16);
    private final CRC32 checksum = new CRC32();

    VerifiedStream(End end) {
        this(end, end.qp()::postReceive);
    }

    /** A stream whose receiver posts there. */
    VerifiedStream(End end, Receives receives) {
        this.end = end;
        this.receives = receives;
    }

    /** Where receives are posted. */
    @FunctionalInterface
    interface Receives {
        void post(ReceiveWorkRequest request) throws RdmaException;
    }

    // ---- the sender

    /** Sends until {@code count} requests have completed, all of them in order. The other end offers memory there. */
    void send(int count, long iova, int rkey) throws Exception {
        long posted = 0;
        long completed = 0;
        while (completed < count) {
            for (; posted < count && posted - completed < WINDOW; posted++) {
                post(posted, iova, rkey);
            }
            int polled = end.cq().await(batch, Await.LIMIT);
            assertThat(polled).as("completions after %d", completed).isPositive();
            for (int i = 0; i < polled; i++) {
                assertThat(batch[i].requireSuccess().wrId()).isEqualTo(completed);
                verifyRead(completed++);
            }
        }
    }

    private static boolean isRead(long number) {
        return number % READ_EVERY == READ_EVERY - 1;
    }

    /** How many of the first {@code count} requests are messages. */
    static long messages(long count) {
        return count - count / READ_EVERY;
    }

    private static int slot(long number) {
        return (int) (number % WINDOW) * SLOT_BYTES;
    }

    private void post(long number, long iova, int rkey) throws Exception {
        int at = slot(number);
        SendWorkRequest request = new SendWorkRequest(1).wrId(number).signaled();
        if (isRead(number)) {
            end.buffer().putLong(at, ~number);
            request.rdmaRead(iova, rkey).add(end.region(), at, READ_BYTES);
        } else {
            request.send().add(end.region(), at, write(messages(number), at));
        }
        end.qp().postSend(request);
    }

    private void verifyRead(long number) {
        if (isRead(number)) {
            verify(0, slot(number), length(0));
        }
    }

    // ---- the receiver

    /** Makes what the sender reads. */
    void offer() {
        write(0, OFFERED);
    }

    void postReceives() throws Exception {
        for (long i = 0; i < RECEIVES; i++) {
            postReceive(i);
        }
    }

    private void postReceive(long number) throws Exception {
        int at = (int) (number % RECEIVES) * SLOT_BYTES;
        receives.post(new ReceiveWorkRequest(1).wrId(number).add(end.region(), at, SLOT_BYTES));
    }

    /** Receives {@code count} messages, none missing, none twice, none changed. */
    void receive(long count) throws Exception {
        long received = 0;
        while (received < count) {
            int polled = end.cq().await(batch, Await.LIMIT);
            assertThat(polled).as("completions after %d", received).isPositive();
            for (int i = 0; i < polled; i++) {
                WorkCompletion completion = batch[i].requireSuccess();
                assertThat(completion.wrId()).isEqualTo(received);
                assertThat(completion.opcode()).isEqualTo(WorkCompletionOpcode.RECV);
                verify(received, (int) (received % RECEIVES) * SLOT_BYTES, completion.byteLength());
                postReceive(received++ + RECEIVES);
            }
        }
    }

    // ---- the bytes

    /** From the header alone to four packets. */
    private static int length(long number) {
        return number == 0 ? READ_BYTES : HEADER + (int) (number * 7919 % (SLOT_BYTES - HEADER));
    }

    private int write(long number, int at) {
        ByteBuffer memory = end.buffer();
        int length = length(number);
        long state = number * 0x9E3779B97F4A7C15L + 1;
        for (int i = HEADER; i < length; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            memory.put(at + i, (byte) (state >>> 56));
        }
        memory.putLong(at, number);
        memory.putInt(at + Long.BYTES, length);
        memory.putInt(at + HEADER - Integer.BYTES, checksum(at, length));
        return length;
    }

    private int checksum(int at, int length) {
        checksum.reset();
        checksum.update(
                end.buffer().duplicate().limit(at + HEADER - Integer.BYTES).position(at));
        checksum.update(end.buffer().duplicate().limit(at + length).position(at + HEADER));
        return (int) checksum.getValue();
    }

    /** That {@code bytes} bytes at {@code at} are the message with that number, whole. */
    private void verify(long number, int at, int bytes) {
        ByteBuffer memory = end.buffer();
        assertThat(memory.getLong(at)).as("number of the message").isEqualTo(number);
        assertThat(bytes).as("length of message %d", number).isEqualTo(length(number));
        assertThat(memory.getInt(at + Long.BYTES)).isEqualTo(bytes);
        assertThat(memory.getInt(at + HEADER - Integer.BYTES))
                .as("checksum of message %d", number)
                .isEqualTo(checksum(at, bytes));
    }
}
