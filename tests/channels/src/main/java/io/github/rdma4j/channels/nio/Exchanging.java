// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.nio;

import io.github.rdma4j.channels.Team;
import io.github.rdma4j.channels.nio.Phase.Exchange;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/** The threads of a side in an exchange. */
final class Exchanging {
    private final String name;
    private final Side side;
    private final Mode mode;
    private final Sender sender;
    private final Receiver receiver;
    private final int lateMillis;
    private final Team team;
    private final Transport transport;

    /** A side, as the client or the server. */
    Exchanging(Exchange phase, boolean isClient, Side side, Team team, Transport transport) {
        this.side = side;
        this.team = team;
        this.transport = transport;
        name = isClient ? "client" : "server";
        mode = isClient ? phase.client() : phase.server();
        lateMillis = isClient ? 0 : phase.lateMillis();
        boolean begins = !phase.takesTurns();
        Semaphore turns = new Semaphore(begins ? phase.count() : isClient ? 1 : 0);
        sender = new Sender(side, phase.count(), isClient ? phase.message() : phase.answer(), turns, phase);
        Semaphore given = begins ? new Semaphore(0) : turns;
        receiver = new Receiver(side, phase.count(), isClient ? phase.answer() : phase.message(), given, phase);
    }

    void start() throws IOException {
        side.channel.configureBlocking(mode.isBlocking());
        switch (mode) {
            case BLOCKING, STREAMS -> {
                team.start(name + "'s reader", this::read);
                team.start(name + "'s writer", this::write);
            }
            case ONE_THREAD -> team.start(name, this::both);
            case TWO_SELECTORS -> {
                team.start(name + "'s reading selector", this::selectToRead);
                team.start(name + "'s writing selector", this::selectToWrite);
            }
            case SELECTOR_AND_WORKER -> new SelectorAndWorker().start();
        }
    }

    private void beLate() throws InterruptedException {
        Thread.sleep(lateMillis);
    }

    private void read() throws IOException, InterruptedException {
        beLate();
        while (!receiver.isDone()) {
            if (mode == Mode.STREAMS) {
                receiver.readFromSocket();
            } else if (!receiver.read()) {
                throw new AssertionError("a blocking read returned 0");
            }
            team.step();
        }
    }

    private void write() throws IOException, InterruptedException {
        while (!sender.isDone()) {
            sender.awaitTurn();
            if (mode == Mode.STREAMS) {
                sender.writeToSocket();
            } else if (!sender.write()) {
                throw new AssertionError("a blocking write returned 0");
            }
            team.step();
        }
    }

    private void both() throws IOException, InterruptedException {
        beLate();
        try (Selector selector = transport.provider().openSelector()) {
            SelectionKey key = side.channel.register(selector, 0);
            while (!(sender.isDone() && receiver.isDone())) {
                key.interestOps((receiver.isDone() ? 0 : SelectionKey.OP_READ)
                        | (sender.mayWrite() ? SelectionKey.OP_WRITE : 0));
                selector.select();
                selector.selectedKeys().clear();
                if (key.isReadable()) {
                    readAll();
                }
                if (key.isWritable() && sender.write()) {
                    team.step();
                }
            }
        }
    }

    private void readAll() throws IOException {
        while (!receiver.isDone() && receiver.read()) {
            team.step();
        }
    }

    private void selectToRead() throws IOException, InterruptedException {
        beLate();
        try (Selector selector = transport.provider().openSelector()) {
            side.channel.register(selector, SelectionKey.OP_READ);
            while (!receiver.isDone()) {
                selector.select();
                selector.selectedKeys().clear();
                readAll();
            }
        }
    }

    private void selectToWrite() throws IOException, InterruptedException {
        try (Selector selector = transport.provider().openSelector()) {
            side.channel.register(selector, SelectionKey.OP_WRITE);
            while (!sender.isDone()) {
                sender.awaitTurn();
                if (sender.write()) {
                    team.step();
                } else {
                    selector.select();
                    selector.selectedKeys().clear();
                }
            }
        }
    }

    /** The worker writes without asking, and lets the selector tell when there is room again. */
    private final class SelectorAndWorker {
        private final CountDownLatch written = new CountDownLatch(1);
        private final Semaphore room = new Semaphore(0);

        void start() throws IOException {
            Selector selector = transport.provider().openSelector();
            SelectionKey key = side.channel.register(selector, SelectionKey.OP_READ);
            team.start(name + "'s selector", () -> select(selector, key));
            team.start(name + "'s worker", () -> work(selector, key));
        }

        private void work(Selector selector, SelectionKey key) throws IOException, InterruptedException {
            while (!sender.isDone()) {
                sender.awaitTurn();
                if (sender.write()) {
                    team.step();
                } else {
                    key.interestOpsOr(SelectionKey.OP_WRITE);
                    selector.wakeup();
                    room.acquire();
                }
            }
            written.countDown();
            selector.wakeup();
        }

        private void select(Selector selector, SelectionKey key) throws IOException, InterruptedException {
            beLate();
            try (selector) {
                while (!receiver.isDone() || written.getCount() > 0) {
                    selector.select();
                    selector.selectedKeys().clear();
                    readAll();
                    if (receiver.isDone()) {
                        key.interestOpsAnd(~SelectionKey.OP_READ);
                    }
                    if (key.isWritable()) {
                        key.interestOpsAnd(~SelectionKey.OP_WRITE);
                        room.release();
                    }
                }
            }
        }
    }
}
