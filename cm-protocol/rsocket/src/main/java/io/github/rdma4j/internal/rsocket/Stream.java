// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.internal.rsocket.wire.ConnData;
import io.github.rdma4j.internal.rsocket.wire.StreamEngine;
import io.github.rdma4j.kernel.RdmaException;
import java.time.Duration;
import java.util.concurrent.Future;

/**
 * A connected stream of bytes. Threads that use it process its completions; the thread of the event loop tells it of the
 * end of the connection. Safe for use by several threads.
 *
 * <p>Threads wait in {@link #await}. An event loop does not: it watches {@link #descriptor()}; when the descriptor is readable, the
 * loop calls {@link #takeEvent()} and then {@link #ready()}, {@link #read}, {@link #write}; before it sleeps, it calls {@link #arm}
 * with what it waits for, and goes on if that returns false. An answer of {@link #ready()} before that is worth nothing when other
 * threads use the stream; a loop that alone asks for such answers may call {@link #armSinceReady} instead. What no completion
 * tells of comes by {@link #onChange}. The loop must ask {@link #ready()} after each event also if nobody wants to read or
 * write, since this gives the peer memory and credits. A loop closes with {@link #closeLater}. {@link StreamConnect} connects
 * for a loop, and {@link StreamListener} accepts.
 */
public final class Stream extends StreamBytes {
    private static final Duration PEER_READS_REPLY = Duration.ofMillis(200);

    private final DirectMemory direct;

    Stream(CmConnection connection, StreamLink link, StreamEngine engine, StreamSettings settings) {
        super(connection, link, engine, settings);
        this.direct = new DirectMemory(this, link, engine, lock);
    }

    /** The direct writes of both sides. */
    public DirectMemory direct() {
        return direct;
    }

    /**
     * Begins with what the peer told of itself; {@code accepted} on the passive side.
     *
     * <p>On iWARP the side that connects must send first, because its device may still read the reply to its request: siw
     * gives up a connection if the reply and a message are there at once. C's peers send at their first call that reads or
     * writes; a peer that makes none is waited for until it surely has read the reply.
     */
    void begin(ConnData other, boolean accepted) throws RdmaException {
        begin(() -> {
            if (accepted && link.isIwarp()) {
                engine.letPeerSpeakFirst();
                Future<?> unused = StreamService.after(PEER_READS_REPLY, this::speak);
            }
            engine.connected(other);
        });
    }

    private void speak() {
        boolean unused = say(engine::speak);
    }

    @Override
    protected void closeOthers() throws RdmaException {
        direct.close();
    }
}
