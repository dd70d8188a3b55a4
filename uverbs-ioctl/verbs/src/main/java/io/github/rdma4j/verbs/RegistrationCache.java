// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.internal.verbs.Checks;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cache of memory regions over direct buffers, which avoids registering a reused buffer again. Safe for use by
 * several threads.
 *
 * <p>A region covers the whole capacity of its buffer, and offsets in the region are indexes of the buffer. A buffer is
 * identified by its address and capacity: duplicates share a region, a slice has its own. Regions in use stay
 * registered. When the cache needs room, it deregisters the least recently used of the other regions.
 *
 * <p>The cache references the memory of each buffer strongly while the region is cached, so the garbage collector frees
 * no registered memory. The cache does not notice when another owner frees memory. Do not pass it
 * {@code ByteBuf.nioBuffer()} of Netty, a segment of an {@code Arena} that is closed before the cache, or memory that
 * {@code Unsafe.invokeCleaner} frees.
 *
 * <p>The cache closes itself when the kernel begins to remove the device, so that it does not delay the removal: see
 * {@link DeviceContext#closeWhenRemoved}. If closing a queue pair fails, its requests complete as flushed although the
 * device may still use their memory: do not release those regions.
 *
 * <pre>{@code
 * MemoryRegion region = cache.acquire(buffer);
 * SendWorkRequest request = new SendWorkRequest(1).send().add(region, buffer.position(), buffer.remaining());
 * qp.send(request, completion -> cache.release(region));
 * }</pre>
 */
public final class RegistrationCache implements AutoCloseable {
    private final ProtectionDomain pd;
    private final Set<Access> access;
    private final long limitBytes;

    /** The size of the kernel's pages, which it pins and counts whole. */
    private final long page;

    /** Held while a region is registered. Threads whose region is cached do not wait for it. */
    private final ReentrantLock registering = new ReentrantLock();

    /** Guards the following fields; never held during a kernel call. */
    private final ReentrantLock lock = new ReentrantLock();

    /** In order of use, least recently used first. */
    private final Map<Span, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    /** All regions that are cached or in use. */
    private final Map<MemoryRegion, Entry> byRegion = new HashMap<>();

    private final Span probe = new Span(0, 0);
    private long registered;
    private long hits;
    private long misses;
    private long evictions;
    private boolean closed;

    /** The address and length of a buffer; never changed while it is a key. */
    private static final class Span {
        private long address;
        private int length;

        Span(long address, int length) {
            this.address = address;
            this.length = length;
        }

        /** Returns the number of bytes of the pinned pages. */
        long pinnedBytes(long page) {
            return (address + length + page - 1) / page * page - address / page * page;
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

    private RegistrationCache(ProtectionDomain pd, Set<Access> access, long limitBytes, long page) {
        this.pd = pd;
        this.access = access.isEmpty() ? Set.of() : EnumSet.copyOf(access);
        this.limitBytes = limitBytes;
        this.page = page;
    }

    /**
     * Opens an empty cache. Close it after the last use.
     *
     * @param pd the protection domain of all regions
     * @param access the access rights of all regions
     * @param limitBytes the maximum number of bytes, in whole pages, that may be registered at a time; one page or more
     */
    public static RegistrationCache open(ProtectionDomain pd, Set<Access> access, long limitBytes) {
        Objects.requireNonNull(pd, "pd");
        Checks.access(access, false);
        long page = LinuxKernel.of(pd.context().kernel()).syscalls().pageSize();
        if (limitBytes < page) {
            throw new IllegalArgumentException("a limit of " + limitBytes + " bytes; it must be " + page + " or more");
        }
        return new RegistrationCache(pd, access, limitBytes, page);
    }

    /**
     * Returns the region of the bytes from 0 to the capacity of {@code buffer}, for use until {@link #release}. Do not
     * close the region. A cached region costs no system call.
     *
     * @throws IllegalArgumentException if the buffer is on the heap or empty, or if it is read-only and the regions
     *     allow writing
     * @throws IllegalStateException if the cache or the protection domain is closed, or if the regions in use leave no
     *     room
     * @throws RdmaException as for {@link ProtectionDomain#registerMr(ByteBuffer, Set)}, or if a region could not be
     *     deregistered to make room
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

    /** Returns null if there is no entry, or its protection domain was closed. */
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
            leaveIfClosed();
        }
    }

    /**
     * Leaves the removal list if the cache was closed during {@link #register(ByteBuffer, Span)}, which had added it
     * again.
     */
    private void leaveIfClosed() {
        if (locked(() -> closed)) {
            pd.context().removal().remove(this);
        }
    }

    /** Returns the region that another thread has registered in the meantime. */
    private @Nullable MemoryRegion lookUp(Span span) {
        Entry entry = locked(() -> use(span));
        return entry == null ? null : entry.region;
    }

    private MemoryRegion register(ByteBuffer whole, Span span) throws RdmaException {
        pd.context().removal().add(this);
        FirstFailure failure = new FirstFailure();
        for (Entry unused : makeRoom(span.pinnedBytes(page))) {
            failure.attempt(unused.region::close);
        }
        return Undo.onFailure(
                () -> {
                    failure.throwIfAny();
                    MemoryRegion region = pd.registerMr(whole, access);
                    return Undo.onFailure(() -> enter(span, region), region::close);
                },
                () -> locked(() -> registered -= span.pinnedBytes(page)));
    }

    /** Reserves bytes; the caller must deregister the returned entries. */
    private List<Entry> makeRoom(long bytes) {
        lock.lock();
        try {
            List<Entry> evicted = new ArrayList<>();
            long room = limitBytes - registered;
            for (Iterator<Entry> all = entries.values().iterator(); room < bytes && all.hasNext(); ) {
                Entry entry = all.next();
                if (entry.users == 0) {
                    evicted.add(entry);
                    room += entry.span.pinnedBytes(page);
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
        registered -= entry.span.pinnedBytes(page);
        if (entry.users == 0) {
            byRegion.remove(entry.region);
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
     * Ends one use of a region that {@link #acquire} returned. Call it after the completion of the work request.
     *
     * @throws IllegalArgumentException if the region is not from this cache, or was already released as often as
     *     acquired
     * @throws RdmaException if the cache is closed and the region could not be deregistered
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

    /** Returns the number of {@link #acquire} calls that found a cached region. */
    public long hits() {
        return locked(() -> hits);
    }

    /** Returns the number of {@link #acquire} calls that found no cached region. */
    public long misses() {
        return locked(() -> misses);
    }

    /** Returns the number of regions that were deregistered to make room. */
    public long evictions() {
        return locked(() -> evictions);
    }

    /** Returns the number of bytes in the pinned pages of all cached regions. */
    public long registeredBytes() {
        return locked(() -> registered);
    }

    private <T extends @Nullable Object> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    /** Deregisters the unused regions now, and each other region when it is released. Idempotent. */
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
