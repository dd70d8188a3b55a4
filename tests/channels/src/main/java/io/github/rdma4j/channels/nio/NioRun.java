// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.nio;

import io.github.rdma4j.channels.Numbered;
import io.github.rdma4j.channels.Outcome;
import io.github.rdma4j.channels.Team;
import io.github.rdma4j.channels.nio.Phase.Exchange;
import io.github.rdma4j.channels.nio.Phase.HalfClose;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run of a program over a transport. */
final class NioRun {
    /** Below the five seconds after which a close may give up. */
    private static final Duration TIMELY = Duration.ofSeconds(4);

    private final NioProgram program;
    private final Transport transport;
    private final List<String> lines = new ArrayList<>();
    private final StringBuilder details = new StringBuilder();
    private final int patience;
    private boolean isTimely = true;
    private boolean isFailed;

    NioRun(NioProgram program, Transport transport, int patience) {
        this.program = program;
        this.transport = transport;
        this.patience = patience;
    }

    /** A part of the program, which starts threads. */
    private interface Part {
        void start(Team team) throws IOException;
    }

    Outcome run() throws InterruptedException {
        List<Channel> channels = new ArrayList<>();
        try {
            ServerSocketChannel listener = kept(channels, transport.provider().openServerSocketChannel());
            SocketChannel client = kept(channels, transport.provider().openSocketChannel());
            set(listener, StandardSocketOptions.SO_RCVBUF, program.sizes().get(3));
            set(client, StandardSocketOptions.SO_SNDBUF, program.sizes().get(0));
            set(client, StandardSocketOptions.SO_RCVBUF, program.sizes().get(1));
            listener.bind(new InetSocketAddress(transport.host(), 0));
            run(listener, client, channels);
        } catch (IOException | IllegalStateException e) {
            lines.add("outside of threads: " + Team.text(e));
        }
        close(channels);
        return new Outcome(lines, details.toString(), isFailed, isTimely);
    }

    private static <C extends Channel> C kept(List<Channel> channels, C channel) {
        channels.add(channel);
        return channel;
    }

    /** What does not return holds neither this thread nor the other channels. */
    private void close(List<Channel> channels) throws InterruptedException {
        Team team = new Team(patience);
        channels.forEach(channel -> team.start("close", channel::close));
        told("closes", team, () -> {});
    }

    private static void set(NetworkChannel channel, SocketOption<Integer> option, int size) throws IOException {
        if (size > 0) {
            channel.setOption(option, size);
        }
    }

    private void run(ServerSocketChannel listener, SocketChannel client, List<Channel> channels)
            throws IOException, InterruptedException {
        SocketChannel[] accepted = new SocketChannel[1];
        boolean goesOn = part("connect", listener, client, team -> {
            team.start("client", () -> connect(client, (InetSocketAddress) listener.getLocalAddress()));
            team.start("server", () -> accepted[0] = accept(listener));
        });
        if (!goesOn) {
            return;
        }
        SocketChannel server = kept(channels, accepted[0]);
        set(server, StandardSocketOptions.SO_SNDBUF, program.sizes().get(2));
        transport.check(client);
        transport.check(server);
        Numbered toServer = new Numbered(1);
        Numbered toClient = new Numbered(2);
        phases(new Side(client, toServer, toClient), new Side(server, toClient, toServer));
    }

    private void phases(Side client, Side server) throws IOException, InterruptedException {
        for (int i = 0; i < program.phases().size(); i++) {
            Phase phase = program.phases().get(i);
            boolean goesOn = part("phase " + (i + 1), server.channel, client.channel, team -> {
                if (phase instanceof Exchange exchange) {
                    new Exchanging(exchange, true, client, team, transport).start();
                    new Exchanging(exchange, false, server, team, transport).start();
                } else if (phase instanceof HalfClose half) {
                    halfClose(half.isByClient() ? client : server, half.isByClient() ? server : client, team);
                }
            });
            if (!goesOn) {
                return;
            }
            states(client, server);
        }
        end(client, server);
    }

    private static void halfClose(Side closing, Side following, Team team) throws IOException {
        closing.channel.configureBlocking(true);
        following.channel.configureBlocking(true);
        team.start("half closer", closing.channel::shutdownOutput);
        team.start("its peer", () -> {
            int count = following.channel.read(ByteBuffer.allocate(1));
            if (count >= 0) {
                throw new AssertionError("read returned " + count);
            }
        });
    }

    /** When nothing is under way. */
    private void states(Side... sides) throws IOException {
        for (Side side : sides) {
            SocketChannel channel = side.channel;
            channel.configureBlocking(false);
            int next = channel.read(ByteBuffer.allocate(1));
            lines.add((channel.isConnected() ? "connected" : "not connected") + ", next read " + next + ", shut down "
                    + channel.socket().isInputShutdown() + " "
                    + channel.socket().isOutputShutdown());
        }
    }

    private void end(Side client, Side server) throws IOException, InterruptedException {
        boolean isByClient = program.end().isByClient();
        Ending[] ending = new Ending[1];
        part("end", server.channel, client.channel, team -> {
            ending[0] = new Ending(
                    program.end(), isByClient ? client : server, isByClient ? server : client, team, transport);
            ending[0].start();
        });
        isTimely = System.nanoTime() - ending[0].closedAt() < TIMELY.toNanos();
        lines.add("closer: " + ending[0].closer());
        lines.add("follower: " + ending[0].follower());
    }

    private boolean part(String name, SelectableChannel one, SelectableChannel other, Part part)
            throws IOException, InterruptedException {
        Team team = new Team(patience);
        part.start(team);
        return told(name, team, () -> {
            one.close();
            other.close();
        });
    }

    /** Waits for the end of a part; returns whether it was a good one. */
    private boolean told(String name, Team team, Team.Task abandon) throws InterruptedException {
        @Nullable String failure = team.await(abandon);
        isFailed |= failure != null;
        lines.add(name + ": " + (failure == null ? "done" : failure));
        details.append(team.details());
        return failure == null;
    }

    private void connect(SocketChannel client, InetSocketAddress address) throws IOException {
        if (!program.selectsConnect()) {
            client.connect(address);
            return;
        }
        client.configureBlocking(false);
        try (Selector selector = transport.provider().openSelector()) {
            client.register(selector, SelectionKey.OP_CONNECT);
            if (!client.connect(address)) {
                do {
                    selector.select();
                    selector.selectedKeys().clear();
                } while (!client.finishConnect());
            }
        }
    }

    private SocketChannel accept(ServerSocketChannel listener) throws IOException {
        if (!program.selectsAccept()) {
            return listener.accept();
        }
        listener.configureBlocking(false);
        try (Selector selector = transport.provider().openSelector()) {
            listener.register(selector, SelectionKey.OP_ACCEPT);
            while (true) {
                selector.select();
                selector.selectedKeys().clear();
                SocketChannel accepted = listener.accept();
                if (accepted != null) {
                    return accepted;
                }
            }
        }
    }
}
