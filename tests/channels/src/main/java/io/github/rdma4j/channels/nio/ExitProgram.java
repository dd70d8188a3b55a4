// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.nio;

import io.github.rdma4j.channels.Numbered;
import io.github.rdma4j.channels.Outcome;
import io.github.rdma4j.channels.Program;
import io.github.rdma4j.channels.Team;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;

/**
 * A JVM connects, writes and ends; what it wrote has to arrive.
 *
 * @param buffer SO_RCVBUF of the reader; 0 for the default
 * @param lateMillis how long the reader waits, if the JVM does not end before
 */
public record ExitProgram(List<Connection> connections, int buffer, int lateMillis, boolean callsExit)
        implements Program<Transport> {
    private static final int PATIENCE = 4 * Team.LOOKS;
    private static final int MANY = 3;
    private static final int LATE = 1500;
    private static final int LARGE = 400_000;
    private static final int SMALL_BUFFER = 8192;
    private static final int LARGE_BUFFER = 1 << 20;
    private static final int READ = 1 << 14;

    /** Copies the connections. */
    public ExitProgram {
        connections = List.copyOf(connections);
    }

    /**
     * A connection of the JVM.
     *
     * @param last what the JVM does with it after it has written
     */
    record Connection(int bytes, Last last) {
        String argument() {
            return bytes + ":" + last;
        }

        static Connection of(String argument) {
            int colon = argument.indexOf(':');
            return new Connection(
                    Integer.parseInt(argument.substring(0, colon)), Last.valueOf(argument.substring(colon + 1)));
        }
    }

    enum Last {
        /** The JVM ends with the channel open. */
        OPEN,
        /** The JVM closes it, and ends. */
        CLOSED,
        /** An interrupted thread closes it, which waits for the peer; the JVM ends a while later. */
        CLOSED_BY_INTERRUPTED
    }

    /** Draws a program. */
    public static ExitProgram draw(Random random) {
        List<Connection> connections = new ArrayList<>();
        for (int i = random.nextInt(MANY); i >= 0; i--) {
            int bytes = random.nextInt(3) == 0 ? Phase.size(random, 16) : 1 + random.nextInt(LARGE);
            connections.add(new Connection(bytes, Last.values()[random.nextInt(Last.values().length)]));
        }
        return new ExitProgram(
                connections,
                new int[] {SMALL_BUFFER, 0, LARGE_BUFFER, LARGE_BUFFER}[random.nextInt(4)],
                random.nextBoolean() ? 0 : random.nextInt(LATE),
                random.nextBoolean());
    }

    @Override
    public List<ExitProgram> smaller() {
        List<ExitProgram> smaller = new ArrayList<>();
        for (int i = 0; i < connections.size() && connections.size() > 1; i++) {
            smaller.add(new ExitProgram(List.of(connections.get(i)), buffer, lateMillis, callsExit));
        }
        return smaller;
    }

    @Override
    @SuppressWarnings("try") // closed early
    public Outcome run(Transport transport) throws InterruptedException {
        ConcurrentSkipListMap<Integer, String> read = new ConcurrentSkipListMap<>();
        List<String> lines = new ArrayList<>();
        Team team = new Team(PATIENCE);
        boolean isFailed = true;
        try (ServerSocketChannel listener = transport.provider().openServerSocketChannel()) {
            if (buffer > 0) {
                listener.setOption(StandardSocketOptions.SO_RCVBUF, buffer);
            }
            listener.bind(new InetSocketAddress(transport.host(), 0));
            Process jvm = start(transport, listener);
            team.start("listener", () -> {
                for (int i = 0; i < connections.size(); i++) {
                    SocketChannel accepted = listener.accept();
                    int number = i;
                    team.start("reader " + number, () -> read.put(number, read(accepted, number, jvm)));
                    team.step();
                }
            });
            String failure = team.await(() -> {
                jvm.destroyForcibly();
                listener.close();
            });
            isFailed = failure != null;
            lines.add(failure == null ? "done" : failure);
            lines.add("status " + jvm.waitFor());
        } catch (IOException e) {
            lines.add(Team.text(e));
        }
        lines.addAll(read.values());
        return new Outcome(lines, team.details(), isFailed, true);
    }

    private Process start(Transport transport, ServerSocketChannel listener) throws IOException {
        InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
        List<String> command = new ArrayList<>(transport.elsewhere());
        command.addAll(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ExitMain.class.getName(),
                transport.name(),
                transport.host().getHostAddress(),
                Integer.toString(address.getPort()),
                callsExit ? "exit" : "return"));
        connections.forEach(connection -> command.add(connection.argument()));
        return new ProcessBuilder(command).inheritIO().start();
    }

    private String read(SocketChannel channel, int number, Process jvm) throws IOException, InterruptedException {
        boolean unused = jvm.waitFor(lateMillis, TimeUnit.MILLISECONDS);
        Numbered numbered = new Numbered(number);
        ByteBuffer bytes = ByteBuffer.allocateDirect(READ);
        long read = 0;
        try (channel) {
            while (true) {
                int count = channel.read(bytes.clear());
                int right = numbered.right(bytes, 0, read);
                read += right;
                if (count < 0 || right < bytes.position()) {
                    return connections.get(number) + ": " + read + " bytes, then "
                            + (count < 0 ? "the end" : "a wrong byte");
                }
            }
        } catch (IOException e) {
            return connections.get(number) + ": " + read + " bytes, then " + Team.text(e);
        }
    }
}
