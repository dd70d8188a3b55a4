// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.kernel.RdmaException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes in turns, the server first: a side writes when the last byte of its memory has become the number of the peer's
 * next message. After the last message, a server ends the connection at once.
 */
final class WriteLatency extends Latency {
    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final boolean first;
    private final ByteBuffer memory;
    private final int lastSent;
    private final int word;
    private final int shift;

    WriteLatency(TestBed bed, boolean first) {
        super(bed);
        this.first = first;
        memory = bed.memory;
        lastSent = bed.options().size() - 1;
        int lastReceived = bed.spread().half() + lastSent;
        word = lastReceived / Integer.BYTES * Integer.BYTES;
        shift = lastReceived % Integer.BYTES * Byte.SIZE;
    }

    @Override
    void run(int iterations) throws RdmaException, InterruptedException {
        for (int i = 0; i < iterations - 1; i++) {
            turn(i);
            bed.sends.awaitOne();
        }
        turn(iterations - 1);
        awaitLastAcknowledgement();
    }

    /**
     * Runs by time. The peer ends by its own clock, without a message, so a failure after the measured time counts as
     * its end.
     */
    @Override
    void runByTime() throws RdmaException, InterruptedException {
        period.start();
        try {
            for (int i = 0; (i == 0 && first) || awaitByTime(first ? i : i + 1); i++) {
                memory.put(lastSent, (byte) (i + 1));
                link.qp.postSend(message);
                bed.sends.awaitOne();
                count();
            }
        } catch (RdmaException e) {
            period.look();
            if (!period.hasCounted()) {
                throw e;
            }
        }
    }

    private boolean awaitByTime(int number) throws RdmaException, InterruptedException {
        long start = System.nanoTime();
        while (period.look()) {
            if (hasCome(number)) {
                return true;
            }
            bed.requireHope(start);
        }
        return false;
    }

    private void turn(int iteration) throws RdmaException, InterruptedException {
        if (first) {
            if (iteration > 0) {
                receive(iteration);
            }
        } else {
            receive(iteration + 1);
        }
        memory.put(lastSent, (byte) (iteration + 1));
        post(iteration);
    }

    private void receive(int number) throws RdmaException, InterruptedException {
        if (hasCome(number)) {
            return;
        }
        long start = System.nanoTime();
        while (!hasCome(number)) {
            bed.requireHope(start);
        }
    }

    private boolean hasCome(int number) {
        boolean come = isThere(number);
        for (int look = 1; !come && look <= Completions.LOOK; look++) {
            come = isThere(number);
            Completions.offer(look);
        }
        return come;
    }

    private boolean isThere(int number) {
        return (byte) ((int) WORD.getAcquire(memory, word) >>> shift) == (byte) number;
    }

    private void awaitLastAcknowledgement() throws RdmaException, InterruptedException {
        if (first) {
            bed.sends.awaitOne();
            receive(bed.options().iterations());
            return;
        }
        try {
            bed.sends.awaitOne();
        } catch (RdmaException e) {
            // the server ended the connection because it has seen the last message
            if (!bed.isDisconnected()) {
                throw e;
            }
        }
    }
}
