// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.sockets;

import io.github.rdma4j.channels.Outcome;
import io.github.rdma4j.channels.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A program with one connection of plain sockets.
 *
 * @param sizes SO_SNDBUF and SO_RCVBUF of the client, SO_SNDBUF and SO_RCVBUF of the server; 0 for the default
 * @param acceptMillis the limit of an accept, which is repeated; 0 for none
 * @param lateMillis how long the client waits before it connects
 */
public record SocketProgram(List<Integer> sizes, int acceptMillis, int lateMillis, List<Step> steps, Finish finish)
        implements Program<Ends> {
    private static final int[] SIZES = {0, 8192, 8192, 16_384, 65_536};
    private static final int STEPS = 4;
    private static final int LATE = 30;
    private static final int LARGE = 18;
    private static final int TAIL = 16;

    /** Fits into the smallest buffers. */
    private static final int SMALL_TAIL = 11;

    /** How many the bytes of a direction may take. */
    private static final int CALLS = 50;

    private static int size(Random random, int bits) {
        return random.nextInt(1 << (1 + random.nextInt(bits)));
    }

    private static int sometimes(Random random, int most) {
        return random.nextBoolean() ? 0 : 1 + random.nextInt(most);
    }

    /** Draws a program. */
    public static SocketProgram draw(Random random) {
        List<Integer> sizes = new ArrayList<>();
        while (sizes.size() < 4) {
            sizes.add(SIZES[random.nextInt(SIZES.length)]);
        }
        List<Step> steps = new ArrayList<>();
        Step.HalfClose closed = Step.HalfClose.NONE;
        for (int i = random.nextInt(STEPS); i > 0; i--) {
            Step.HalfClose half = closed == Step.HalfClose.NONE && random.nextInt(5) == 0
                    ? random.nextBoolean() ? Step.HalfClose.CLIENT : Step.HalfClose.SERVER
                    : Step.HalfClose.NONE;
            int toServer = closed == Step.HalfClose.CLIENT ? 0 : size(random, LARGE);
            int toClient = closed == Step.HalfClose.SERVER ? 0 : size(random, LARGE);
            steps.add(new Step(
                    toServer,
                    toClient,
                    1 + Math.max(toServer, toClient) / CALLS + size(random, TAIL),
                    sometimes(random, 5),
                    random.nextInt(3) == 0 ? 1 : 0,
                    random.nextBoolean(),
                    half));
            closed = half == Step.HalfClose.NONE ? closed : half;
        }
        return new SocketProgram(
                List.copyOf(sizes),
                sometimes(random, 5),
                sometimes(random, LATE),
                List.copyOf(steps),
                finish(random, closed));
    }

    private static Finish finish(Random random, Step.HalfClose closed) {
        Finish.How how = closed == Step.HalfClose.NONE
                ? List.of(Finish.How.values()).get(random.nextInt(Finish.How.values().length))
                : Finish.How.CLOSE;
        if (how == Finish.How.WHILE_WRITING) {
            return new Finish(random.nextBoolean(), how, 0, random.nextInt(LATE), -1, 0);
        }
        return new Finish(
                closed == Step.HalfClose.NONE ? random.nextBoolean() : closed == Step.HalfClose.SERVER,
                how,
                how == Finish.How.RESET ? 0 : size(random, how == Finish.How.EARLY ? SMALL_TAIL : TAIL),
                random.nextInt(LATE),
                how == Finish.How.RESET ? 0 : how != Finish.How.EARLY && random.nextInt(3) == 0 ? 3 : -1,
                sometimes(random, 60_000));
    }

    @Override
    public Outcome run(Ends ends) throws InterruptedException {
        return new SocketRun(this, ends).run();
    }

    @Override
    public List<SocketProgram> smaller() {
        List<SocketProgram> smaller = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i).halfClose() == Step.HalfClose.NONE) {
                List<Step> left = new ArrayList<>(steps);
                left.remove(i);
                smaller.add(new SocketProgram(sizes, acceptMillis, lateMillis, List.copyOf(left), finish));
            }
        }
        if (acceptMillis > 0) {
            smaller.add(new SocketProgram(sizes, 0, lateMillis, steps, finish));
        }
        return smaller;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("plain sockets, client SO_SNDBUF, SO_RCVBUF, server the same: " + sizes
                + ", accept for " + acceptMillis + " ms, connect after " + lateMillis + " ms");
        steps.forEach(step -> text.append("\n  ").append(step));
        return text.append("\n  ").append(finish).toString();
    }
}
