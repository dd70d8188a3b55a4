// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Optional;

/**
 * Clients that do what no client should, on the connection manager alone. Also a program: {@code BadClient KIND HOST PORT
 * TIMES}.
 */
final class BadClient {
    private static final int SOME_QP_NUMBER = 0x1234;
    private static final int BYTES = 4096;
    private static final ConnectionParameters PARAMETERS = ConnectionParameters.builder()
            .responderResources(1)
            .initiatorDepth(1)
            .build();

    private BadClient() {}

    /** What may go wrong with a client. */
    enum Kind {
        /** Goes without a word as soon as the connection is there. */
        LEAVES,
        /** Goes before it was answered. */
        QUITS,
        /** Sends more than the server has room for, and goes. */
        TALKS_TOO_MUCH,
        /** Sends a message that is too short to mean anything. */
        TALKS_TOO_LITTLE,
        /** Offers memory under a key that is not the memory's. */
        OFFERS_WRONG_KEY,
        /** Offers a buffer of no bytes. */
        OFFERS_NOTHING,
        /** Offers a buffer of more bytes than there are. */
        OFFERS_TOO_MUCH,
        /** Offers a buffer whose size is negative as a signed number. */
        OFFERS_NEGATIVE
    }

    public static void main(String[] arguments) throws Exception {
        InetSocketAddress server = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
        for (int i = 0; i < Integer.parseInt(arguments[3]); i++) {
            misbehave(Kind.valueOf(arguments[0].toUpperCase(Locale.ROOT)), server, i % 2 == 0);
        }
    }

    /**
     * Connects once and misbehaves; nothing of it is left afterwards.
     *
     * @param waits to see what comes of a message before it goes, in the place of going at once
     */
    static void misbehave(Kind kind, InetSocketAddress server, boolean waits)
            throws RdmaException, InterruptedException {
        try (EventChannel channel = EventChannel.open();
                BadEnd end = new BadEnd(Loopback.routed(channel, server), BYTES)) {
            end.id().connect(PARAMETERS);
            if (kind == Kind.QUITS) {
                return;
            }
            Events.expect(channel, CmEventType.ESTABLISHED);
            switch (kind) {
                case TALKS_TOO_MUCH -> end.send(17);
                case TALKS_TOO_LITTLE -> end.send(3);
                case OFFERS_WRONG_KEY -> end.offer(64, 0x5a00);
                case OFFERS_NOTHING -> end.offer(0, 0);
                case OFFERS_TOO_MUCH -> end.offer(Integer.MAX_VALUE, 0);
                case OFFERS_NEGATIVE -> end.offer(-1, 0);
                default -> {
                    return;
                }
            }
            if (waits) {
                end.completion();
            }
        }
    }

    /** A connection that is established and then silent, until it is closed. */
    static final class Held implements AutoCloseable {
        private final EventChannel channel = EventChannel.open();
        private final BadEnd end;

        private Held(InetSocketAddress server, int bytes) throws RdmaException, InterruptedException {
            end = new BadEnd(Loopback.routed(channel, server), bytes);
            end.id().connect(PARAMETERS);
        }

        static Held connect(InetSocketAddress server) throws RdmaException, InterruptedException {
            return connect(server, BYTES);
        }

        /** A connection that has so many bytes to offer. */
        static Held connect(InetSocketAddress server, int bytes) throws RdmaException, InterruptedException {
            return tryToConnect(server, bytes).orElseThrow(() -> new AssertionError("the server refuses a connection"));
        }

        /** Empty when the server refuses the connection. */
        static Optional<Held> tryToConnect(InetSocketAddress server, int bytes)
                throws RdmaException, InterruptedException {
            Held held = new Held(server, bytes);
            CmEventType answer = nextEvent(held.channel);
            if (answer == CmEventType.ESTABLISHED) {
                return Optional.of(held);
            }
            held.close();
            return Optional.empty();
        }

        private static CmEventType nextEvent(EventChannel channel) throws RdmaException, InterruptedException {
            try (CmEvent event = channel.awaitEvent(Await.LIMIT).orElseThrow()) {
                return event.type();
            }
        }

        BadEnd end() {
            return end;
        }

        /** Makes the server hold so many bytes: offers them once and never goes on. */
        void offer(int size) throws RdmaException {
            end.offer(size, 0);
            end.completion();
        }

        /** Waits until the server has ended the connection, which is a rejection if it has not heard of its beginning yet. */
        void awaitEnd() throws RdmaException, InterruptedException {
            CmEventType end = nextEvent(channel);
            if (end != CmEventType.DISCONNECTED && end != CmEventType.REJECTED) {
                throw new AssertionError("the connection goes on, with " + end);
            }
        }

        @Override
        public void close() throws RdmaException {
            end.close();
            channel.close();
        }
    }

    /** A connection that the server has accepted and that never says the last word. */
    static final class HalfOpen implements AutoCloseable {
        private final EventChannel channel = EventChannel.open();

        HalfOpen(InetSocketAddress server) throws RdmaException, InterruptedException {
            CmId id = Loopback.routed(channel, server);
            id.connect(ConnectionParameters.builder().qpNumber(SOME_QP_NUMBER).build());
            Events.expect(channel, CmEventType.CONNECT_RESPONSE);
        }

        @Override
        public void close() throws RdmaException {
            channel.close();
        }
    }

    /** True when the server refuses a connection. */
    static boolean isRefused(InetSocketAddress server) throws RdmaException, InterruptedException {
        Optional<Held> held = Held.tryToConnect(server, BYTES);
        if (held.isPresent()) {
            held.get().close();
        }
        return held.isEmpty();
    }
}
