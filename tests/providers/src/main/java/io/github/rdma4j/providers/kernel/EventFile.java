// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.kernel.Errno;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;

/** A completion channel, or the file of asynchronous events. */
final class EventFile extends OpenFile {
    /** Whose events these are: the kernel says at the end how many were read, and drops the rest. */
    static final class Source {
        private int reported;

        int reported() {
            return reported;
        }
    }

    private record Event(ByteBuffer bytes, Source source) {}

    private final Deque<Event> events = new ArrayDeque<>();
    private boolean removed;

    /** An event of a completion queue. */
    void completion(long cookie, Source source) {
        add(bytes(Long.BYTES).putLong(cookie), source);
    }

    /** An asynchronous event, {@code struct ib_uverbs_async_event_desc}. */
    void async(long element, int type, Source source) {
        add(bytes(2 * Long.BYTES).putLong(element).putInt(type), source);
    }

    private static ByteBuffer bytes(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
    }

    private void add(ByteBuffer event, Source source) {
        events.add(new Event(event, source));
    }

    /** Drops what is left of an object that goes. */
    void forget(Source source) {
        events.removeIf(event -> event.source() == source);
    }

    /** The device is gone: nobody waits for ever. */
    void remove() {
        removed = true;
    }

    @Override
    public long read(ByteBuffer into) {
        Event event = events.peek();
        if (event == null) {
            return refused(removed ? Errno.EIO : Errno.EAGAIN);
        }
        if (into.capacity() < event.bytes().capacity()) {
            return refused(Errno.EINVAL);
        }
        events.remove();
        event.source().reported++;
        into.put(0, event.bytes(), 0, event.bytes().capacity());
        return event.bytes().capacity();
    }

    @Override
    public boolean isReadable() {
        return removed || !events.isEmpty();
    }
}
