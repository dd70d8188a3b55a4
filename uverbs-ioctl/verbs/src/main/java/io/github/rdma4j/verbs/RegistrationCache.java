// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.syscall.FirstFailure;
import io.github.rdma4j.internal.verbs.Checks;
import io.github.rdma4j.internal.verbs.Undo;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps memory regions of direct buffers that come from elsewhere, so that a buffer that comes again is not registered again.
 * Safe for use by several threads.
 *
 * <p>A region covers the whole capacity of its buffer, and offsets in it are the buffer's indexes. A buffer is known by the
 * address and the number of its bytes: duplicates share a region, slices have one of their own. A region that is in use stays;
 * of the others the cache deregisters those that were used longest ago when it needs the room.
 *
 * <p>The cache holds the memory of each buffer strongly for as long as the region is cached, so the garbage collector frees
 * nothing that is registered. It does not notice when another owner frees memory. Do not give it {@code ByteBuf.nioBuffer()} of
 * Netty, a segment of an {@code Arena} that is closed before the cache, or what {@code Unsafe.invokeCleaner} frees.
 *
 * <p>The cache closes when the kernel begins to remove the device, so that it does not keep the device from going: see {@link
 * DeviceContext#closeWhenRemoved}. After a queue pair could not be closed its requests complete as flushed although the device may
 * still use the memory: do not release the regions then.
 *
 * <pre>{@code
 * MemoryRegion region = cache.acquire(buffer);
 * SendWorkRequest request = new SendWorkRequest(1).send().add(region, buffer.position(), buffer.remaining());
 * qp.send(request, completion -> cache.release(region));
 * }</pre>
 */
public final class RegistrationCache implements AutoCloseable {
    private static final long PAGE = 4096;

    private final ProtectionDomain pd;
    private final Set<Access> access;
    private final long limitBytes;

    /** Held while a region is registered: who has a region already does not wait. */
    private final ReentrantLock registering = new ReentrantLock();

    /** Guards what follows; never held while the kernel is asked. */
    private final ReentrantLock lock = new ReentrantLock();

    /** In order of use, the longest ago first. */
    private final Map<Span, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    /** All that are cached or in use. */
    private final Map<MemoryRegion, Entry> byRegion = new HashMap<>();

    private final Span probe = new Span(0, 0);
    private long registered;
    private long hits;
    private long misses;
    private long evictions;
    private boolean closed;

    /** The bytes of a buffer; never changed while it is a key. */
    private static final class Span {
        private long address;
        private int length;

        Span(long address, int length) {
            this.address = address;
            this.length = length;
        }

        /** What is pinned: whole pages. */
        long pinnedBytes() {
            return (address + length + PAGE - 1) / PAGE * PAGE - address / PAGE * PAGE;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Span span && span.address == address && span.length == length;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(address) * 31 + length;
        }
    }

    /** A region and its users. */
    private static final class Entry {
        private final Span span;
        private final MemoryRegion region;
        private int users;

        Entry(Span span, MemoryRegion region) {
            this.span = span;
            this.region = region;
        }
    }

    private RegistrationCache(ProtectionDomain pd, Set<Access> access, long limitBytes) {
        this.pd = pd;
        this.access = access.isEmpty() ? Set.of() : EnumSet.copyOf(access);
        this.limitBytes = limitBytes;
    }

    /**
     * An empty cache.
     *
     * @param access the rights of all regions
     * @param limitBytes how many bytes of whole pages may be registered at a time, from 4096
     */
    public static RegistrationCache open(ProtectionDomain pd, Set<Access> access, long limitBytes) {
        Objects.requireNonNull(pd, "pd");
        Checks.access(access, false);
        if (limitBytes < PAGE) {
            throw new IllegalArgumentException("a limit of " + limitBytes + " bytes; it must be 4096 or more");
        }
        return new RegistrationCache(pd, access, limitBytes);
    }

    /**
     * The region of the bytes from 0 to the capacity of {@code buffer}, which the caller uses until {@link #release}. Do not
     * close it. A region that is cached takes no system call.
     *
     * @throws IllegalArgumentException when the buffer is on the heap, empty, or read-only and to be written
     * @throws IllegalStateException when the cache or the protection domain is closed, or the regions in use leave no room
     * @throws RdmaException as {@link ProtectionDomain#registerMr(ByteBuffer, Set)} does, or when a region that made room could
     *     not be deregistered
     */
    public MemoryRegion acquire(ByteBuffer buffer) throws RdmaException {
        Checks.access(access, buffer.isReadOnly());
        MemoryRegion known = find(NativeMemory.address(buffer), buffer.capacity());
        return known != null ? known : register(buffer.duplicate().clear());
    }

    private @Nullable MemoryRegion find(long address, int length) {
        lock.lock();
        try {
            requireOpen();
            probe.address = address;
            probe.length = length;
            Entry entry = use(probe);
            if (entry == null) {
                misses++;
                return null;
            }
            hits++;
            return entry.region;
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /** Null when there is none, or its protection domain was closed. */
    private @Nullable Entry use(Span span) {
        Entry entry = entries.get(span);
        if (entry != null && entry.region.isClosed()) {
            forget(entry);
            entry = null;
        }
        if (entry != null) {
            entry.users++;
        }
        return entry;
    }

    private MemoryRegion register(ByteBuffer whole) throws RdmaException {
        Span span = new Span(NativeMemory.address(whole), whole.capacity());
        registering.lock();
        try {
            MemoryRegion meanwhile = lookUp(span);
            return meanwhile != null ? meanwhile : register(whole, span);
        } finally {
            registering.unlock();
        }
    }

    /** What another thread has registered since. */
    private @Nullable MemoryRegion lookUp(Span span) {
        lock.lock();
        try {
            Entry entry = use(span);
            return entry == null ? null : entry.region;
        } finally {
            lock.unlock();
        }
    }

    private MemoryRegion register(ByteBuffer whole, Span span) throws RdmaException {
        pd.context().removal().add(this);
        FirstFailure failure = new FirstFailure();
        for (Entry unused : makeRoom(span.pinnedBytes())) {
            failure.attempt(unused.region::close);
        }
        return Undo.onFailure(
                () -> {
                    failure.throwIfAny();
                    MemoryRegion region = pd.registerMr(whole, access);
                    return Undo.onFailure(() -> enter(span, region), region::close);
                },
                () -> unreserve(span.pinnedBytes()));
    }

    /** Reserves bytes; what is returned is to be deregistered for them. */
    private List<Entry> makeRoom(long bytes) {
        lock.lock();
        try {
            List<Entry> evicted = new ArrayList<>();
            long room = limitBytes - registered;
            for (Iterator<Entry> all = entries.values().iterator(); room < bytes && all.hasNext(); ) {
                Entry entry = all.next();
                if (entry.users == 0) {
                    evicted.add(entry);
                    room += entry.span.pinnedBytes();
                }
            }
            if (room < bytes) {
                throw new IllegalStateException("no room for " + bytes + " bytes in " + this
                        + ": its regions are in use; release them after their completions, or raise the limit");
            }
            evicted.forEach(this::forget);
            evictions += evicted.size();
            registered += bytes;
            return evicted;
        } finally {
            lock.unlock();
        }
    }

    private void forget(Entry entry) {
        entries.remove(entry.span, entry);
        registered -= entry.span.pinnedBytes();
        if (entry.users == 0) {
            byRegion.remove(entry.region);
        }
    }

    private void unreserve(long bytes) {
        lock.lock();
        try {
            registered -= bytes;
        } finally {
            lock.unlock();
        }
    }

    private MemoryRegion enter(Span span, MemoryRegion region) {
        lock.lock();
        try {
            requireOpen();
            Entry entry = new Entry(span, region);
            entry.users = 1;
            entries.put(span, entry);
            byRegion.put(region, entry);
            return region;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends one use of a region that {@link #acquire} has returned: call it after the completion of the work request.
     *
     * @throws IllegalArgumentException when the region is not of this cache, or was released as often as it was acquired
     * @throws RdmaException when the cache is closed and the region could not be deregistered
     */
    public void release(MemoryRegion region) throws RdmaException {
        boolean last = false;
        lock.lock();
        try {
            Entry entry = byRegion.get(region);
            if (entry == null || entry.users == 0) {
                throw new IllegalArgumentException(region + " is not in use by " + this);
            }
            entry.users--;
            if (entry.users == 0 && entries.get(entry.span) != entry) {
                byRegion.remove(region);
                last = true;
            }
        } finally {
            lock.unlock();
        }
        if (last) {
            region.close();
        }
    }

    /** How often a buffer had a region already. */
    public long hits() {
        return locked(() -> hits);
    }

    /** How often a buffer had to be registered. */
    public long misses() {
        return locked(() -> misses);
    }

    /** How many regions were deregistered to make room. */
    public long evictions() {
        return locked(() -> evictions);
    }

    /** Bytes of the whole pages of the regions that are cached. */
    public long registeredBytes() {
        return locked(() -> registered);
    }

    private interface Count {
        long get();
    }

    private long locked(Count count) {
        lock.lock();
        try {
            return count.get();
        } finally {
            lock.unlock();
        }
    }

    /** Deregisters the regions that are not in use now, and each of the others when it is released. Idempotent. */
    @Override
    public void close() throws RdmaException {
        List<Entry> unused = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            for (Entry entry : List.copyOf(entries.values())) {
                forget(entry);
                if (entry.users == 0) {
                    unused.add(entry);
                }
            }
        } finally {
            lock.unlock();
        }
        pd.context().removal().remove(this);
        FirstFailure failure = new FirstFailure();
        unused.forEach(entry -> failure.attempt(entry.region::close));
        failure.throwIfAny();
    }

    @Override
    public String toString() {
        return "RegistrationCache[" + pd + ", limit " + limitBytes + " bytes]";
    }
}
