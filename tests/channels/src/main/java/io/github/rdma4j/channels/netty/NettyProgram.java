// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.netty;

import io.github.rdma4j.channels.Outcome;
import io.github.rdma4j.channels.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A program with one connection: both sides write and read at a time; when all has arrived, one writes and closes, and the other reads
 * to the end.
 *
 * @param isByClient who closes
 * @param tail what is flushed just before the close; null for nothing
 * @param leavesUnflushed whether a write without a flush is left when the channel is closed
 * @param closesInLoop whether the event loop closes, or the thread of the program
 * @param lateMillis how long the other side waits before it reads the tail
 */
public record NettyProgram(
        Spec client,
        Spec server,
        List<Act> byClient,
        List<Act> byServer,
        boolean isByClient,
        Finish finish,
        @Nullable Act tail,
        boolean leavesUnflushed,
        boolean closesInLoop,
        int lateMillis)
        implements Program<Wire> {
    private static final int ACTS = 4;
    private static final int LATE = 150;
    private static final int REGIONS = 12;

    /** How the connection ends. */
    enum Finish {
        /** By a close right after the last flush. */
        CLOSE,
        /** By a close when the last write has succeeded. */
        CLOSE_AFTER_WRITE,
        /** By an end of the output; the other side writes an answer, and closes. */
        SHUT_DOWN,
        /** By a close with a first message, whatever the other side writes. */
        EARLY
    }

    /** Copies the acts. */
    public NettyProgram {
        byClient = List.copyOf(byClient);
        byServer = List.copyOf(byServer);
    }

    /** Draws a program. */
    public static NettyProgram draw(Random random) {
        Finish finish = Finish.values()[random.nextInt(Finish.values().length)];
        boolean isEarly = finish == Finish.EARLY;
        Act tail = isEarly || random.nextInt(4) > 0 ? tail(random, isEarly) : null;
        return new NettyProgram(
                Spec.draw(random, tail == null),
                Spec.draw(random, tail == null),
                isEarly ? List.of() : acts(random),
                isEarly ? List.of() : acts(random),
                !isEarly && random.nextBoolean(),
                finish,
                tail,
                !isEarly && random.nextInt(3) == 0,
                random.nextBoolean(),
                random.nextInt(3) > 0 ? 0 : random.nextInt(LATE));
    }

    /**
     * Many small writes or a few large ones: less than the smallest send buffer, so that all arrives although nobody reads. A reset
     * of TCP overtakes an early answer of many segments; and Netty's channels of TCP write only so many regions of files at a time.
     */
    private static Act tail(Random random, boolean isEarly) {
        if (isEarly) {
            return Act.draw(random, 8, 8);
        }
        Act act = random.nextBoolean() ? Act.draw(random, 90, 9) : Act.draw(random, 6, 13);
        return act.kind() == Act.Kind.FILE ? act.atMost(REGIONS) : act;
    }

    private static List<Act> acts(Random random) {
        List<Act> acts = new ArrayList<>();
        for (int i = random.nextInt(ACTS); i > 0; i--) {
            acts.add(Act.draw(random, 20, 14));
        }
        return acts;
    }

    static int bytes(List<Act> acts) {
        return acts.stream().mapToInt(Act::bytes).sum();
    }

    @Override
    public Outcome run(Wire wire) throws InterruptedException {
        return new NettyRun(this, wire).run();
    }

    @Override
    public List<NettyProgram> smaller() {
        List<NettyProgram> smaller = new ArrayList<>();
        if (!byClient.isEmpty()) {
            smaller.add(with(byClient.subList(1, byClient.size()), byServer));
        }
        if (!byServer.isEmpty()) {
            smaller.add(with(byClient, byServer.subList(1, byServer.size())));
        }
        return smaller;
    }

    private NettyProgram with(List<Act> clients, List<Act> servers) {
        return new NettyProgram(
                client, server, clients, servers, isByClient, finish, tail, leavesUnflushed, closesInLoop, lateMillis);
    }
}
