// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Servers that do what no server should, on the connection manager alone. Also a program: {@code BadServer KIND HOST PORT},
 * which serves until it is killed.
 */
final class BadServer implements AutoCloseable {
    private static final ConnectionParameters PARAMETERS = ConnectionParameters.builder()
            .responderResources(1)
            .initiatorDepth(1)
            .build();
    private static final byte[] NO_WORDS = {};
    private static final int BYTES = 4096;

    private final EventChannel channel = EventChannel.open();
    private final CmId listener = channel.createId(PortSpace.TCP);
    private final Kind kind;
    private final List<BadEnd> ends = new ArrayList<>();
    private final Await.Running<Boolean> running;

    /** What may go wrong with a server. */
    enum Kind {
        /** Never answers a request. */
        NEVER_ACCEPTS,
        /** Says no. */
        REJECTS,
        /** Accepts and is silent. */
        IS_SILENT,
        /** Ends each connection as soon as it is there. */
        LEAVES,
        /** Sends more than a client has room for. */
        TALKS_TOO_MUCH
    }

    BadServer(Kind kind, InetSocketAddress address) throws RdmaException {
        this.kind = kind;
        listener.bind(address);
        listener.listen(16);
        running = Await.inThread(this::serve);
    }

    public static void main(String[] arguments) throws Exception {
        Kind kind = Kind.valueOf(arguments[0].toUpperCase(Locale.ROOT));
        try (BadServer server =
                new BadServer(kind, new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2])))) {
            server.running.thread().join();
        }
    }

    private boolean serve() throws Exception {
        while (true) {
            try (CmEvent event = channel.awaitEvent()) {
                if (event.type() == CmEventType.CONNECT_REQUEST) {
                    answer(event.id());
                } else if (event.type() == CmEventType.ESTABLISHED) {
                    misbehave(event.id());
                }
            }
        }
    }

    private void answer(CmId id) throws RdmaException {
        switch (kind) {
            case NEVER_ACCEPTS -> {
                // The peer waits.
            }
            case REJECTS -> id.reject(NO_WORDS);
            default -> {
                BadEnd end = new BadEnd(id, BYTES);
                ends.add(end);
                id.attach(end);
                id.accept(PARAMETERS);
            }
        }
    }

    private void misbehave(CmId id) throws RdmaException {
        if (kind == Kind.LEAVES) {
            id.disconnect();
        } else if (kind == Kind.TALKS_TOO_MUCH && id.attachment() instanceof BadEnd end) {
            end.send(1000);
        }
    }

    @Override
    public void close() throws RdmaException {
        running.thread().interrupt();
        try {
            running.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (BadEnd end : ends) {
            end.close();
        }
        channel.close();
    }
}
