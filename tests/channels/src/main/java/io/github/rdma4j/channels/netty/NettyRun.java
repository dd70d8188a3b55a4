// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.netty;

import io.github.rdma4j.channels.Numbered;
import io.github.rdma4j.channels.Outcome;
import io.github.rdma4j.channels.Team;
import io.github.rdma4j.channels.netty.NettyProgram.Finish;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A run of a program of Netty's. */
final class NettyRun {
    private static final Duration TIMELY = Duration.ofSeconds(4);
    private static final long LISTENER_SECONDS = 20;
    private static final Act ANSWER = new Act(2, 700, Act.Kind.DIRECT, true, false, 0, false);
    private static final Act HELLO = new Act(1, 10, Act.Kind.DIRECT, true, false, 0, false);

    private final NettyProgram program;
    private final Wire wire;
    private final Team team = new Team();
    private final Peer client;
    private final Peer server;
    private final CountDownLatch ready = new CountDownLatch(1);
    private volatile long closedAt;
    private volatile long endedAt;

    NettyRun(NettyProgram program, Wire wire) {
        this.program = program;
        this.wire = wire;
        Numbered toServer = new Numbered(1);
        Numbered toClient = new Numbered(2);
        client = new Peer(program.client(), toServer, toClient, team);
        server = new Peer(program.server(), toClient, toServer, team);
    }

    private Peer closing() {
        return program.isByClient() ? client : server;
    }

    private Peer following() {
        return program.isByClient() ? server : client;
    }

    Outcome run() throws InterruptedException {
        Channel listener = bind();
        List<String> lines = new ArrayList<>();
        boolean isFailed;
        try {
            team.start("connect", () -> connect((InetSocketAddress) listener.localAddress()));
            team.start("closer", () -> {
                closing().awaitActive();
                close();
            });
            team.start("follower", () -> {
                following().awaitActive();
                follow();
            });
            String failure = team.await(this::abandon);
            lines.add(failure == null ? "done" : failure);
            isFailed = failure != null;
        } finally {
            if (!listener.close().await(LISTENER_SECONDS, TimeUnit.SECONDS)) {
                lines.add("the listener is not closed");
            }
        }
        boolean isEarly = program.finish() == Finish.EARLY;
        // With a word of its own: it is another kind of difference.
        lines.add((isEarly ? "follower of an early answer read " : "follower read ")
                + following().received());
        lines.add("follower: "
                + (isEarly ? following().eventsOfReading() : following().events()));
        lines.add("closer wrote " + closing().writes());
        lines.add(
                "closer: " + (isEarly ? closing().eventsOfReading() : closing().events()));
        if (!isEarly) {
            lines.add("closer read " + closing().received());
            lines.add("follower wrote " + following().writes());
        }
        return new Outcome(lines, team.details(), isFailed, endedAt - closedAt < TIMELY.toNanos());
    }

    private void abandon() throws InterruptedException {
        for (Peer peer : List.of(client, server)) {
            peer.close(false);
        }
    }

    private Channel bind() throws InterruptedException {
        ServerBootstrap bootstrap = wire.server().childHandler(handler(server));
        if (program.server().receiveBuffer() > 0) {
            bootstrap.option(ChannelOption.SO_RCVBUF, program.server().receiveBuffer());
        }
        if (program.server().sendBuffer() > 0 && wire.wire() != null) {
            bootstrap.option(ChannelOption.SO_SNDBUF, program.server().sendBuffer());
        }
        program.server().options().forEach((option, value) -> child(bootstrap, option, value));
        return bootstrap.bind(new InetSocketAddress(wire.host(), 0)).sync().channel();
    }

    @SuppressWarnings("unchecked")
    private static <T> void child(ServerBootstrap bootstrap, ChannelOption<T> option, Object value) {
        bootstrap.childOption(option, (T) value);
    }

    @SuppressWarnings("unchecked")
    private static <T> void option(Bootstrap bootstrap, ChannelOption<T> option, Object value) {
        bootstrap.option(option, (T) value);
    }

    private static ChannelInitializer<Channel> handler(Peer peer) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(peer);
            }
        };
    }

    private void connect(InetSocketAddress address) throws InterruptedException {
        Bootstrap bootstrap = wire.client().handler(handler(client));
        for (Map.Entry<ChannelOption<?>, Object> each :
                program.client().options().entrySet()) {
            option(bootstrap, each.getKey(), each.getValue());
        }
        if (program.client().receiveBuffer() > 0) {
            bootstrap.option(ChannelOption.SO_RCVBUF, program.client().receiveBuffer());
        }
        bootstrap.connect(address).sync();
    }

    private List<Act> acts(Peer peer) {
        return peer.equals(client) ? program.byClient() : program.byServer();
    }

    private void close() throws InterruptedException {
        Peer peer = closing();
        peer.hold(false);
        for (Act act : acts(peer)) {
            peer.act(act);
        }
        if (program.finish() != Finish.EARLY) {
            peer.awaitBytes(NettyProgram.bytes(acts(following())));
            peer.awaitWrites();
            ready.await();
        }
        Act tail = program.tail();
        if (tail != null) {
            peer.act(tail);
        }
        boolean closesAfterWrite = program.finish() == Finish.CLOSE_AFTER_WRITE || program.finish() == Finish.EARLY;
        ChannelFutureListener last = tail != null && closesAfterWrite ? ChannelFutureListener.CLOSE : null;
        if (last != null) {
            peer.lastWrite().addListener(last);
        }
        finish(peer, last != null);
        peer.awaitGone();
        peer.awaitWrites();
    }

    private void finish(Peer peer, boolean closesItself) throws InterruptedException {
        closedAt = System.nanoTime();
        if (closesItself) {
            return;
        }
        if (program.leavesUnflushed() && program.finish() == Finish.CLOSE) {
            peer.writeUnflushed();
        }
        if (program.finish() == Finish.SHUT_DOWN) {
            peer.shutDownOutput(program.closesInLoop());
            peer.awaitEnd();
        }
        peer.close(program.closesInLoop());
    }

    private void follow() throws InterruptedException {
        Peer peer = following();
        if (program.finish() == Finish.EARLY) {
            // Either meets the close, or what came is there, unread, when the write fails.
            if (program.client().reading() == Spec.Reading.SWITCHED) {
                closing().awaitGone();
            }
            Thread.sleep(program.lateMillis());
            peer.act(HELLO);
            peer.awaitWrites();
        }
        peer.hold(false);
        for (Act act : acts(peer)) {
            peer.act(act);
        }
        if (program.finish() != Finish.EARLY) {
            peer.awaitBytes(NettyProgram.bytes(acts(closing())));
        }
        if (program.lateMillis() > 0) {
            peer.hold(true);
        }
        ready.countDown();
        Thread.sleep(program.lateMillis());
        peer.hold(false);
        peer.awaitEnd();
        endedAt = System.nanoTime();
        if (program.finish() == Finish.SHUT_DOWN && peer.awaitActive().isActive() && halfCloses(peer)) {
            peer.act(ANSWER);
        }
        peer.awaitWrites();
        peer.close(program.closesInLoop());
        peer.awaitGone();
    }

    private boolean halfCloses(Peer peer) {
        return (peer.equals(client) ? program.client() : program.server()).halfCloses();
    }
}
