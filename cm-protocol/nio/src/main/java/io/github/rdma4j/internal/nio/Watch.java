// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.fd.Epoll;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.libc.SocketCalls;
import io.github.rdma4j.internal.rsocket.Slots;
import io.github.rdma4j.kernel.Kernel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a selector's epoll watches, for one thread at a time.
 *
 * <p>The descriptor of a socket is watched, level-triggered, for what the key is interested in. The descriptor of a polled source is
 * always watched, edge-triggered: after an event the key is hot, and its source is asked in each round until it can be armed again.
 */
final class Watch {
    private static final int POLLED = SocketCalls.POLLIN | SocketCalls.EPOLLET;

    private final Epoll epoll;
    private final Slots<StreamKey> slots = new Slots<>();
    private final List<StreamKey> hot = new ArrayList<>();

    Watch() throws IOException {
        epoll = Epoll.open(Kernel.running());
    }

    void addEventfd(int number, long data) throws IOException {
        epoll.add(number, SocketCalls.POLLIN, data);
    }

    /**
     * Follows the interest set and the source of a valid key. A channel that is closed at the same time is not watched.
     */
    void update(StreamKey key) throws IOException {
        Source source = key.selectable().source();
        if (source.isPolled() && key.becomeHot()) {
            // Also if it is watched and armed already: what nobody was interested in may have happened.
            hot.add(key);
        }
        if (source != key.watchedSource) {
            leave(key);
            key.watchedSource = source;
        }
        int events = source.isPolled() ? POLLED : key.selectable().events(key.interestNow());
        if (events == key.watched || !source.descriptor().tryEnter()) {
            return;
        }
        try {
            follow(key, source, events);
        } finally {
            source.descriptor().leave();
        }
    }

    private void follow(StreamKey key, Source source, int events) throws IOException {
        int number = source.descriptor().number();
        if (key.watched == 0) {
            key.slot = slots.add(key);
            try {
                epoll.add(number, events, slots.data(key.slot));
            } catch (IOException | RuntimeException | Error e) {
                slots.remove(key.slot);
                throw e;
            }
        } else if (events == 0) {
            epoll.remove(number);
            slots.remove(key.slot);
        } else {
            epoll.modify(number, events, slots.data(key.slot));
        }
        key.watched = events;
    }

    /** Forgets a key. */
    void remove(StreamKey key) {
        hot.remove(key);
        leave(key);
    }

    private void leave(StreamKey key) {
        Source source = key.watchedSource;
        if (key.watched == 0 || source == null) {
            return;
        }
        key.watched = 0;
        slots.remove(key.slot);
        KernelFd descriptor = source.descriptor();
        // The kernel has forgotten a descriptor that is closed.
        if (descriptor.tryEnter()) {
            try {
                epoll.remove(descriptor.number());
            } finally {
                descriptor.leave();
            }
        }
    }

    /** Asks the hot keys' sources. Returns true if one of them has to be asked again before a sleep. */
    boolean askHot(Selection selection) {
        boolean again = false;
        for (int i = hot.size() - 1; i >= 0; i--) {
            StreamKey key = hot.get(i);
            Source source = key.selectable().source();
            int events = source.readiness();
            if (key.selectable().operations(events, key.interestNow()) != 0) {
                selection.offer(key, events);
            } else if (source.arm(wanted(key))) {
                key.coolDown();
                hot.remove(i);
            } else {
                again = true;
            }
        }
        return again;
    }

    /** The events that make the key ready; in some states of the channel, its interest set has more. */
    private static int wanted(StreamKey key) {
        return ifReady(key, SocketCalls.POLLIN) | ifReady(key, SocketCalls.POLLOUT);
    }

    private static int ifReady(StreamKey key, int event) {
        return key.selectable().operations(event, key.interestNow()) != 0 ? event : 0;
    }

    int await(int timeoutMillis) throws IOException {
        return epoll.await(timeoutMillis);
    }

    /** Takes the events of the last wait. Returns true if that with {@code eventfd} was among them. */
    boolean collect(int count, Selection selection, long eventfd) {
        boolean signalled = false;
        for (int i = 0; i < count; i++) {
            long data = epoll.data(i);
            if (data == eventfd) {
                signalled = true;
                continue;
            }
            take(slots.get(data), epoll.ready(i), selection);
        }
        return signalled;
    }

    private void take(@Nullable StreamKey key, int events, Selection selection) {
        if (key == null) {
            return;
        }
        Source source = key.watchedSource;
        if (source == null || source != key.selectable().source()) {
            // The selector has been told of the other source.
            return;
        }
        if (!source.isPolled()) {
            selection.offer(key, events);
            // Also if the operation is over that was waited for: the event would come again and again.
            selection.end();
            return;
        }
        source.taken();
        if (key.selectable().keys().isShared()) {
            key.selectable().keys().tell();
        }
        if (key.becomeHot()) {
            hot.add(key);
        }
        selection.offer(key, source.readiness());
    }

    void close() {
        epoll.close();
    }
}
