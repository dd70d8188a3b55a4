// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.nio;

import io.github.rdma4j.channels.Outcome;
import io.github.rdma4j.channels.Program;
import io.github.rdma4j.channels.Team;
import io.github.rdma4j.channels.nio.Phase.Exchange;
import io.github.rdma4j.channels.nio.Phase.HalfClose;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A program with one connection.
 *
 * @param sizes SO_SNDBUF and SO_RCVBUF of the client, SO_SNDBUF and SO_RCVBUF of the server; 0 for the default
 */
public record NioProgram(
        List<Integer> sizes, boolean selectsConnect, boolean selectsAccept, List<Phase> phases, End end)
        implements Program<Transport> {
    private static final int[] SIZES = {0, 8192, 8192, 8192, 16_384, 65_536, 1 << 20};
    private static final int MIDDLE = 65_536;
    private static final int PHASES = 4;

    /** Draws a program. */
    public static NioProgram draw(Random random) {
        List<Phase> phases = new ArrayList<>();
        boolean toServer = true;
        boolean toClient = true;
        for (int i = random.nextInt(PHASES); i > 0; i--) {
            if (random.nextInt(6) == 0 && toServer && toClient) {
                boolean isByClient = random.nextBoolean();
                phases.add(new HalfClose(isByClient));
                toServer &= !isByClient;
                toClient &= isByClient;
            } else {
                phases.add(Phase.exchange(random, toServer, toClient));
            }
        }
        List<Integer> sizes = new ArrayList<>();
        while (sizes.size() < 4) {
            sizes.add(SIZES[random.nextInt(SIZES.length)]);
        }
        End end = End.draw(random);
        if (end.how() == End.How.WHILE_WRITING || end.how() == End.How.WRITER_INTERRUPTED) {
            // What fills the buffers is read before a close gives up.
            sizes.replaceAll(size -> size == 0 ? MIDDLE : Math.min(size, MIDDLE));
        }
        return new NioProgram(
                List.copyOf(sizes),
                random.nextBoolean(),
                random.nextBoolean(),
                List.copyOf(phases),
                withOpenOutput(end, toServer, toClient));
    }

    /** The side that has its output still is the one that writes and closes. */
    private static End withOpenOutput(End end, boolean toServer, boolean toClient) {
        boolean isByClient = toServer && (end.isByClient() || !toClient);
        boolean isWhole = toServer && toClient;
        return new End(
                isByClient,
                isWhole ? end.how() : End.How.CLOSE,
                end.tail(),
                isWhole ? end.back() : 0,
                end.lateMillis(),
                isWhole || end.linger() != 0 ? end.linger() : -1,
                end.isInterrupted(),
                end.selects());
    }

    @Override
    public Outcome run(Transport transport) throws InterruptedException {
        return new NioRun(this, transport, Team.LOOKS).run();
    }

    @Override
    public List<NioProgram> smaller() {
        List<NioProgram> smaller = new ArrayList<>();
        for (int i = 0; i < phases.size(); i++) {
            if (phases.get(i) instanceof Exchange) {
                List<Phase> left = new ArrayList<>(phases);
                left.remove(i);
                smaller.add(new NioProgram(sizes, selectsConnect, selectsAccept, List.copyOf(left), end));
            }
        }
        if (selectsConnect || selectsAccept) {
            smaller.add(new NioProgram(sizes, false, false, phases, end));
        }
        return smaller;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("channels of NIO, client SO_SNDBUF, SO_RCVBUF, server the same: " + sizes
                + (selectsConnect ? ", connect with a selector" : "")
                + (selectsAccept ? ", accept with a selector" : ""));
        phases.forEach(phase -> text.append("\n  ").append(phase));
        return text.append("\n  ").append(end).toString();
    }
}
