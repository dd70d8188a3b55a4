// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The events of a server. A failure to retrieve an event affects a single connection, or is a temporary lack of
 * resources: it is reported, and the server continues. For one thread.
 */
public final class ServerEvents {
    /** A pause, so that a persistent failure does not occupy the processor. */
    private static final long PAUSE_MILLIS = 100;

    private static final Errno BAD_DESCRIPTOR = new Errno(9);

    private final EventChannel channel;
    private final Consumer<String> say;
    private @Nullable String lastTrouble;

    /**
     * Creates the events of {@code channel}; {@code say} receives a line for each failure, once for a persistent
     * failure.
     */
    public ServerEvents(EventChannel channel, Consumer<String> say) {
        this.channel = channel;
        this.say = say;
    }

    /**
     * Waits for the next event.
     *
     * @throws ClosedWhileWaitingException if the channel is closed
     * @throws RdmaException if the channel cannot deliver events
     */
    public CmEvent await() throws RdmaException, InterruptedException {
        while (true) {
            try {
                CmEvent event = channel.awaitEvent();
                lastTrouble = null;
                return event;
            } catch (RdmaException | RuntimeException | OutOfMemoryError e) {
                survive(e);
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    /**
     * Passes each event to {@code handler} until this thread is interrupted.
     *
     * @throws RdmaException if the device of {@code listener}, which listens on {@code address}, is removed
     */
    public void serve(CmId listener, InetSocketAddress address, Consumer<CmEvent> handler)
            throws RdmaException, InterruptedException {
        while (true) {
            try (CmEvent event = await()) {
                if (event.id() == listener && event.type() == CmEventType.DEVICE_REMOVAL) {
                    throw new RdmaException("the device of " + address + " was removed", event.toException());
                }
                handler.accept(event);
            }
        }
    }

    /** Returns the next event, if one can be retrieved; throws like {@link #await}. */
    public Optional<CmEvent> poll() throws RdmaException {
        try {
            return channel.pollEvent();
        } catch (RdmaException | RuntimeException | OutOfMemoryError e) {
            survive(e);
            return Optional.empty();
        }
    }

    private void survive(Throwable trouble) throws RdmaException {
        if (trouble instanceof ClosedWhileWaitingException || channel.isClosed()) {
            throw new ClosedWhileWaitingException(channel.toString());
        }
        if (trouble instanceof ErrnoException refused && refused.errno().equals(BAD_DESCRIPTOR)) {
            throw refused;
        }
        String line = "could not retrieve an event: " + Failures.text(trouble);
        if (!line.equals(lastTrouble)) {
            lastTrouble = line;
            say.accept(line);
        }
    }
}
