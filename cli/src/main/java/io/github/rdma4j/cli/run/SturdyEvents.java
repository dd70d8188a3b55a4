// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.internal.memory.Headroom;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The events of a server. An event that cannot be retrieved is one connection's trouble, or that of a limit that others
 * have exhausted for a moment: the trouble is said, and the server goes on. For one thread.
 */
public final class SturdyEvents {
    /** What lasts, such as a limit that stays exhausted, must not take the processor from those who might end it. */
    private static final long PAUSE_MILLIS = 100;

    private static final int MOST_ATTEMPTS = 100;
    private static final Errno BAD_DESCRIPTOR = new Errno(9);

    private final EventChannel channel;
    private final Consumer<String> say;
    private @Nullable String lastTrouble;

    /** The events of {@code channel}; {@code say} is told of each trouble, but once as long as it lasts. */
    public SturdyEvents(EventChannel channel, Consumer<String> say) {
        this.channel = channel;
        this.say = say;
    }

    /**
     * Waits for the next event.
     *
     * @throws ClosedWhileWaitingException when the channel is closed
     * @throws RdmaException when the channel can deliver nothing any more
     */
    public CmEvent await() throws RdmaException, InterruptedException {
        while (true) {
            Headroom.await();
            CmEvent event = tryAwait();
            if (event != null) {
                lastTrouble = null;
                return event;
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    /**
     * Has {@code handler} deal with an event. An event that there is no memory to deal with is dealt with later, so that no id
     * is forgotten; the handler may then be called with the event again.
     */
    public void handle(CmEvent event, Consumer<CmEvent> handler) throws InterruptedException {
        for (int attempt = 1; !isHandled(event, handler) && attempt < MOST_ATTEMPTS; attempt++) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    /** The next event if there is one that can be retrieved; throws as {@link #await} does. */
    public Optional<CmEvent> poll() throws RdmaException {
        try {
            return channel.pollEvent();
        } catch (RdmaException | RuntimeException | OutOfMemoryError e) {
            survive(e);
            return Optional.empty();
        }
    }

    private boolean isHandled(CmEvent event, Consumer<CmEvent> handler) {
        try {
            handler.accept(event);
            return true;
        } catch (OutOfMemoryError e) {
            sayOnce("could not handle an event: ", e);
            return false;
        }
    }

    /** Null and not empty: once the event has been retrieved, nothing must need memory. */
    private @Nullable CmEvent tryAwait() throws RdmaException, InterruptedException {
        try {
            return channel.awaitEvent();
        } catch (RdmaException | RuntimeException | OutOfMemoryError e) {
            survive(e);
            return null;
        }
    }

    private void survive(Throwable trouble) throws RdmaException {
        if (trouble instanceof ClosedWhileWaitingException || channel.isClosed()) {
            throw new ClosedWhileWaitingException(channel.toString());
        }
        if (trouble instanceof ErrnoException refused && refused.errno().equals(BAD_DESCRIPTOR)) {
            throw refused;
        }
        sayOnce("could not retrieve an event: ", trouble);
    }

    private void sayOnce(String what, Throwable trouble) {
        try {
            String line = what + Trouble.text(trouble);
            if (!line.equals(lastTrouble)) {
                lastTrouble = line;
                say.accept(line);
            }
        } catch (OutOfMemoryError full) {
            // It is said another time.
        }
    }
}
