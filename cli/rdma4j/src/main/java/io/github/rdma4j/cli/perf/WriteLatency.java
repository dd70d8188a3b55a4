// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.SendWorkRequest;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes in turns, the server first: a side writes when the last byte of its memory has become the number of the next message of
 * the peer. A server that has seen the last message ends the connection without further words.
 */
final class WriteLatency implements Measurement {
    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final TestBed bed;
    private final boolean first;
    private final LatencyTimes times;
    private final SendWorkRequest message;
    private final ByteBuffer memory;
    private final int lastSent;
    private final int word;
    private final int shift;

    WriteLatency(TestBed bed, boolean first) {
        this.bed = bed;
        this.first = first;
        times = new LatencyTimes(bed.options());
        message = bed.link().fill(new SendWorkRequest(1), 0).signaled();
        memory = bed.memory();
        lastSent = bed.options().size() - 1;
        int lastReceived = bed.spread().half() + lastSent;
        word = lastReceived / Integer.BYTES * Integer.BYTES;
        shift = lastReceived % Integer.BYTES * Byte.SIZE;
    }

    @Override
    public void run() throws RdmaException, InterruptedException {
        if (bed.options().isTimed()) {
            runByTime();
            return;
        }
        int last = bed.options().iterations() - 1;
        for (int i = 0; i < last; i++) {
            turn(i);
            bed.sends().awaitOne();
        }
        turn(last);
        awaitLastAcknowledgement();
    }

    /** The peer ends by its own clock, without a word; what goes wrong after the time that counts is its end. */
    private void runByTime() throws RdmaException, InterruptedException {
        Period period = times.period();
        period.start();
        try {
            for (int i = 0; (i == 0 && first) || awaitByTime(first ? i : i + 1); i++) {
                memory.put(lastSent, (byte) (i + 1));
                bed.link().qp().postSend(message);
                bed.sends().awaitOne();
                times.count();
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
        while (times.period().look()) {
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
        send(iteration);
    }

    private void send(int iteration) throws RdmaException {
        times.post(iteration);
        memory.put(lastSent, (byte) (iteration + 1));
        bed.link().qp().postSend(message);
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
        for (int look = 0; !come && look < Completions.LOOK; look++) {
            come = isThere(number);
        }
        return come;
    }

    private boolean isThere(int number) {
        return (byte) ((int) WORD.getAcquire(memory, word) >>> shift) == (byte) number;
    }

    private void awaitLastAcknowledgement() throws RdmaException, InterruptedException {
        if (first) {
            bed.sends().awaitOne();
            receive(bed.options().iterations());
            return;
        }
        try {
            bed.sends().awaitOne();
        } catch (RdmaException e) {
            // The server has seen the last message, which is why it ended the connection.
            if (!bed.isDisconnected()) {
                throw e;
            }
        }
    }

    @Override
    public PerfResult result(long allocatedBytes) {
        return times.result(allocatedBytes);
    }
}
