// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A program on one side: it writes a running pattern, compares what it reads, and ends the connection step by step. */
final class App {
    /** What a program does at the end, when it has written all. */
    enum Step {
        SHUT_OUTPUT,
        SHUT_INPUT,
        AWAIT_END,
        DISCONNECT
    }

    /**
     * What a program does.
     *
     * @param bytes what it writes
     * @param largest the largest write and read
     * @param idles true if it makes no call for a while now and then
     * @param steps the end; the last step is {@link Step#DISCONNECT}
     */
    record Plan(long bytes, int largest, boolean idles, List<Step> steps) {
        static final List<Step> ORDERLY = List.of(Step.SHUT_OUTPUT, Step.AWAIT_END, Step.DISCONNECT);

        static Plan of(long bytes, int largest) {
            return new Plan(bytes, largest, false, ORDERLY);
        }

        Plan idling() {
            return new Plan(bytes, largest, true, steps);
        }

        Plan ending(List<Step> end) {
            return new Plan(bytes, largest, idles, end);
        }
    }

    final Side side;
    private final Plan plan;
    private final Random random;
    private final byte salt;
    private final byte peerSalt;
    private final ByteBuffer scratch;
    private final ByteBuffer peeked;

    long written;
    long read;
    private int step;
    private boolean inputShut;
    private int idle;

    /** True if the peer's stream was read to its end. */
    boolean sawEnd;

    App(Side side, Plan plan, Random random, boolean first) {
        this.side = side;
        this.plan = plan;
        this.random = random;
        salt = (byte) (first ? 17 : 101);
        peerSalt = (byte) (first ? 101 : 17);
        scratch = ByteBuffer.allocateDirect(plan.largest());
        peeked = ByteBuffer.allocate(plan.largest());
    }

    /** The byte of a stream at a place. */
    static byte pattern(long at, byte salt) {
        return (byte) (salt + at * 7 + (at >>> 8) * 13 + (at >>> 16));
    }

    /** Makes some calls; returns true if something came of one. */
    boolean act() throws RdmaException {
        if (plan.idles() && idle == 0 && random.nextInt(64) == 0) {
            idle = 1 + random.nextInt(50);
        }
        if (idle > 0) {
            idle--;
            return true;
        }
        boolean acted = random.nextInt(4) > 0 && side.poll(1 + random.nextInt(16));
        acted |= random.nextInt(4) > 0 && side.acknowledge(1 + random.nextInt(16));
        acted |= random.nextInt(4) > 0 && write();
        acted |= random.nextInt(4) > 0 && read();
        acted |= random.nextInt(4) == 0 && end();
        return acted;
    }

    /** Makes each call. */
    boolean actInFull() throws RdmaException {
        idle = 0;
        boolean acted = side.poll(Integer.MAX_VALUE);
        acted |= side.acknowledge(Integer.MAX_VALUE);
        acted |= write();
        acted |= read();
        acted |= end();
        return acted;
    }

    /** A gathering write: some buffers one after the other. */
    private boolean write() throws RdmaException {
        int bytes = (int) Math.min(plan.bytes() - written, 1 + random.nextInt(plan.largest()));
        if (step > 0 || bytes == 0 || !side.outputOpen()) {
            return false;
        }
        long before = written;
        while (bytes > 0) {
            int part = random.nextBoolean() ? bytes : 1 + random.nextInt(bytes);
            scratch.clear().limit(part);
            for (int i = 0; i < part; i++) {
                scratch.put(i, pattern(written + i, salt));
            }
            int sent = side.write(scratch);
            written += sent;
            bytes = sent < part ? 0 : bytes - part;
        }
        return written > before;
    }

    /** A scattering read. */
    private boolean read() throws RdmaException {
        long before = read;
        boolean more = true;
        while (more) {
            int most = 1 + random.nextInt(plan.largest());
            peeked.clear().limit(most);
            int ahead = side.peek(peeked);
            scratch.clear().limit(most);
            int bytes = side.read(scratch);
            if (ahead >= 0) {
                assertThat(bytes).isEqualTo(ahead);
                assertThat(peeked.flip()).isEqualTo(scratch.duplicate().flip());
            }
            for (int i = 0; i < bytes; i++) {
                if (scratch.get(i) != pattern(read + i, peerSalt)) {
                    throw new AssertionError("byte " + (read + i) + " of the stream is another one: " + side);
                }
            }
            read += bytes;
            more = bytes == most && random.nextBoolean();
        }
        sawEnd |= side.atEnd() && !inputShut;
        return read > before;
    }

    private boolean end() throws RdmaException {
        if (isDone() || (written < plan.bytes() && side.outputOpen())) {
            return false;
        }
        switch (plan.steps().get(step)) {
            case SHUT_OUTPUT -> side.shutdownOutput();
            case SHUT_INPUT -> shutInput();
            case AWAIT_END -> {
                if (!side.atEnd()) {
                    return false;
                }
            }
            case DISCONNECT -> {
                inputShut = true;
                side.disconnect();
            }
        }
        step++;
        return true;
    }

    private void shutInput() throws RdmaException {
        inputShut = true;
        side.shutdownInput();
    }

    /** True after the last step. */
    boolean isDone() {
        return step == plan.steps().size();
    }

    /** The end of a program in some order. Only {@code patient} programs wait for the peer's end before they begin theirs. */
    static List<Step> anyEnd(Random random, boolean patient) {
        List<Step> steps = new ArrayList<>();
        while (random.nextInt(3) > 0) {
            Step next = Step.values()[random.nextInt(3)];
            // C does not drop what comes after SHUT_INPUT, so the peer may never end.
            boolean waitsForEver = steps.contains(Step.SHUT_INPUT) || !(patient || steps.contains(Step.SHUT_OUTPUT));
            if (next != Step.AWAIT_END || !waitsForEver) {
                steps.add(next);
            }
        }
        steps.add(Step.DISCONNECT);
        return steps;
    }

    @Override
    public String toString() {
        return "wrote " + written + " of " + plan.bytes() + ", read " + read + ", step " + step + " of " + plan.steps()
                + ": " + side;
    }
}
