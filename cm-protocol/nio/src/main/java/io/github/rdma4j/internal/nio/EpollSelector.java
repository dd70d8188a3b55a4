// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.fd.WakeUp;
import io.github.rdma4j.kernel.Kernel;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A selector of sockets, by epoll(7). The contract of {@link Selector} demands monitors: the selector's, then that of the set of
 * selected keys.
 */
final class EpollSelector extends AbstractSelector {
    /** What epoll gives back for the eventfd; no key has so high a slot. */
    private static final long EVENTFD = -1;

    private final Watch watch;
    private final WakeUp wakeUp;

    /** {@link #wakeup()} was called since the last selection. */
    private final AtomicBoolean woken = new AtomicBoolean();

    private final Set<SelectionKey> keys = ConcurrentHashMap.newKeySet();
    private final Set<SelectionKey> publicKeys = Collections.unmodifiableSet(keys);
    private final SelectedKeys selected = new SelectedKeys(this);
    private final Selection selection = new Selection(selected);
    private final Runnable openCheck = this::checkOpen;

    /** Keys whose interest set has changed since the last selection. */
    private final ConcurrentLinkedQueue<StreamKey> changed = new ConcurrentLinkedQueue<>();

    private boolean selecting;

    private EpollSelector(SelectorProvider provider, Watch watch, WakeUp wakeUp) {
        super(provider);
        this.watch = watch;
        this.wakeUp = wakeUp;
    }

    static EpollSelector open(SelectorProvider provider) throws IOException {
        Watch watch = new Watch();
        @Nullable WakeUp wakeUp = null;
        try {
            wakeUp = WakeUp.open(Kernel.running());
            watch.addEventfd(wakeUp.number(), EVENTFD);
            return new EpollSelector(provider, watch, wakeUp);
        } catch (IOException | RuntimeException | Error e) {
            watch.close();
            if (wakeUp != null) {
                wakeUp.close();
            }
            throw e;
        }
    }

    private void checkOpen() {
        if (!isOpen()) {
            throw new ClosedSelectorException();
        }
    }

    @Override
    public Set<SelectionKey> keys() {
        checkOpen();
        return publicKeys;
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        checkOpen();
        return selected;
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int operations, @Nullable Object attachment) {
        StreamKey key = keyOf(channel);
        key.attach(attachment);
        checkOpen();
        keys.add(key);
        key.selectable().keys().add(key);
        try {
            // A selector that is closed meanwhile has the key already, and drops it.
            key.interestOps(operations);
            changed.add(key);
            checkOpen();
            return key;
        } catch (RuntimeException | Error e) {
            key.selectable().keys().remove(key);
            keys.remove(key);
            key.cancel();
            throw e;
        }
    }

    /** A channel of another provider was registered. Its superclass has no message. */
    private static final class ForeignChannelException extends IllegalSelectorException {
        private static final long serialVersionUID = 1;

        private final String message;

        ForeignChannelException(SelectableChannel channel) {
            message = "the channel is one of " + channel.provider().getClass().getName()
                    + ", and this selector takes those of rdma4j's provider only: open the channel with"
                    + " selector.provider(), or the selector with channel.provider()";
        }

        @Override
        public String getMessage() {
            return message;
        }
    }

    private StreamKey keyOf(AbstractSelectableChannel channel) {
        if (channel instanceof Selectable selectable) {
            return new StreamKey(channel, selectable, this, changed, wakeUp);
        }
        throw new ForeignChannelException(channel);
    }

    @Override
    public int selectNow() throws IOException {
        return run(null, 0);
    }

    @Override
    public int select() throws IOException {
        return run(null, Sleep.NO_LIMIT);
    }

    @Override
    public int select(long timeout) throws IOException {
        return run(null, nanos(timeout));
    }

    @Override
    public int selectNow(Consumer<SelectionKey> action) throws IOException {
        return run(Objects.requireNonNull(action), 0);
    }

    @Override
    public int select(Consumer<SelectionKey> action) throws IOException {
        return run(Objects.requireNonNull(action), Sleep.NO_LIMIT);
    }

    @Override
    public int select(Consumer<SelectionKey> action, long timeout) throws IOException {
        Objects.requireNonNull(action);
        return run(action, nanos(timeout));
    }

    private static long nanos(long timeoutMillis) {
        if (timeoutMillis < 0) {
            throw new IllegalArgumentException("Negative timeout");
        }
        return Sleep.nanos(timeoutMillis);
    }

    private int run(@Nullable Consumer<SelectionKey> action, long nanos) throws IOException {
        synchronized (this) {
            checkOpen();
            if (selecting) {
                throw new IllegalStateException("select in progress");
            }
            selecting = true;
            try {
                synchronized (selected) {
                    return selectLocked(action, nanos);
                }
            } finally {
                selecting = false;
            }
        }
    }

    private int selectLocked(@Nullable Consumer<SelectionKey> action, long nanos) throws IOException {
        dropCancelled();
        takeChanges();
        dropCancelled();
        selection.begin(action);
        boolean blocks = nanos != 0;
        try {
            if (blocks) {
                begin();
            }
            await(nanos);
        } finally {
            if (blocks) {
                end();
            }
        }
        selection.deliver(openCheck);
        dropCancelled();
        return selection.count();
    }

    /** Waits until a key is ready, {@link #wakeup()} is called, or the time is over. */
    private void await(long nanos) throws IOException {
        boolean limited = nanos != Sleep.NO_LIMIT && nanos != 0;
        long start = limited ? System.nanoTime() : 0;
        long left = nanos;
        while (true) {
            boolean again = watch.askHot(selection);
            int count = watch.await(selection.isOver() || again ? 0 : Sleep.millis(left));
            boolean signalled = watch.collect(count, selection, EVENTFD);
            if (signalled) {
                // Before the question that follows: a signal that comes after the answer must end the next wait.
                wakeUp.drain();
                takeChanges();
            }
            if (woken.getAndSet(false) || selection.isOver()) {
                return;
            }
            if (limited) {
                left = nanos - (System.nanoTime() - start);
            }
            if (left <= 0) {
                return;
            }
        }
    }

    private void takeChanges() throws IOException {
        for (StreamKey key = changed.poll(); key != null; key = changed.poll()) {
            try {
                if (key.isValid()) {
                    watch.update(key);
                }
            } catch (IOException | RuntimeException | Error e) {
                // The kernel had no memory for it; a later selection tries again.
                changed.add(key);
                throw e;
            }
        }
    }

    private void dropCancelled() {
        Set<SelectionKey> cancelled = cancelledKeys();
        List<SelectionKey> dropped;
        synchronized (cancelled) {
            if (cancelled.isEmpty()) {
                return;
            }
            dropped = List.copyOf(cancelled);
            cancelled.clear();
        }
        // Without the set's monitor: a channel that is registered in vain cancels its key, and has its own lock
        // meanwhile.
        for (SelectionKey key : dropped) {
            drop((StreamKey) key);
        }
    }

    private void drop(StreamKey key) {
        watch.remove(key);
        key.selectable().keys().remove(key);
        selected.remove(key);
        keys.remove(key);
        deregister(key);
        key.selectable().keys().released();
    }

    @Override
    public Selector wakeup() {
        if (!woken.getAndSet(true)) {
            wakeUp.signal();
        }
        return this;
    }

    @Override
    protected void implCloseSelector() {
        // Any selection under way ends, and no other begins.
        Selector awake = wakeup();
        synchronized (awake) {
            synchronized (selected) {
                for (SelectionKey key : keys) {
                    drop((StreamKey) key);
                }
                watch.close();
                wakeUp.close();
            }
        }
    }
}
