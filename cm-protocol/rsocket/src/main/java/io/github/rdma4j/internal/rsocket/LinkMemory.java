// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.internal.rsocket.wire.Growth;
import io.github.rdma4j.internal.rsocket.wire.StreamMemory;
import io.github.rdma4j.internal.rsocket.wire.Wire;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.MappedMemory;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The registered memory of a connection: a few pages from the beginning, and buffers of the full size while it is used much.
 * No region is shared by connections: a peer can write all of a region that it has the key of.
 */
final class LinkMemory implements Growth {
    /** The memory that a connection begins with. */
    private static final int FIRST = 1 << 14;

    /** What of it the peer writes. */
    private static final int FIRST_RECEIVES = 1 << 13;

    private static final int LEAST_SENDS = 1 << 12;

    private final ProtectionDomain pd;
    private final StreamSettings settings;
    private final Registered registered;
    private final StreamMemory first;

    /** The begin of what this side sends from, in the first region. */
    private final int local;

    private Runnable onSendBuffer = () -> {};

    /** Guards the rest, for a close that meets a growth. */
    private final ReentrantLock lock = new ReentrantLock();

    private @Nullable Registered receives;
    private @Nullable Registered sends;
    private boolean closed;

    /** Memory and its region. */
    private record Registered(MappedMemory memory, MemoryRegion region) {
        static Registered of(ProtectionDomain pd, int bytes, Set<Access> access) throws RdmaException {
            MappedMemory memory = MappedMemory.allocate(bytes);
            return Undo.onFailure(() -> new Registered(memory, pd.registerMr(memory, access)), memory::close);
        }

        ByteBuffer slice(int offset, int bytes) {
            return memory.slice(offset, bytes);
        }

        /** For a region that nobody uses. */
        void end() throws RdmaException {
            region.close();
            memory.close();
        }
    }

    private LinkMemory(ProtectionDomain pd, StreamSettings settings, StreamMemory.Places places) throws RdmaException {
        this.pd = pd;
        this.settings = settings;
        local = places.remoteBytes();
        registered = Registered.of(pd, local + places.localBytes(), Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
        MemoryRegion region = registered.region;
        first = new StreamMemory(
                registered.slice(0, local),
                region.iova(),
                region.rkey(),
                registered.slice(local, places.localBytes()),
                places);
    }

    /** Registers what a connection begins with, with places for {@code messages} messages. */
    static LinkMemory open(ProtectionDomain pd, StreamSettings settings, int messages) throws RdmaException {
        int receives = Math.min(settings.receiveBytes(), FIRST_RECEIVES);
        int others = new StreamMemory.Places(receives, LEAST_SENDS, settings.iomaps(), messages).bytes() - LEAST_SENDS;
        int sends = Math.min(settings.sendBytes(), Math.max(FIRST - others, LEAST_SENDS));
        return new LinkMemory(pd, settings, new StreamMemory.Places(receives, sends, settings.iomaps(), messages));
    }

    /** What the connection begins with. */
    StreamMemory first() {
        return first;
    }

    /** The region of {@link #first}, which begins with what the peer writes. */
    MemoryRegion region() {
        return registered.region;
    }

    /** The place of a message in the region. */
    int messageOffset(int index) {
        return first.places().messageOffset(index);
    }

    /** Adds what a write sends to its request. */
    void add(SendWorkRequest request, Wire.Post post) {
        Registered larger = post.larger ? sends : null;
        if (larger == null) {
            request.add(registered.region, local + post.offset, post.length);
        } else {
            request.add(larger.region, post.offset, post.length);
        }
    }

    /** The domain of its regions. */
    ProtectionDomain pd() {
        return pd;
    }

    /** Sets what is called when the connection takes a larger send buffer. */
    void onSendBuffer(Runnable action) {
        onSendBuffer = action;
    }

    // Growth.

    @Override
    public @Nullable Offered receiveBuffer() {
        lock.lock();
        try {
            Registered made = larger(
                    settings.receiveBytes(),
                    first.places().receiveBytes(),
                    Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
            if (made == null) {
                return null;
            }
            receives = made;
            return new Offered(made.slice(0, settings.receiveBytes()), made.region.iova(), made.region.rkey());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable ByteBuffer sendBuffer() {
        lock.lock();
        try {
            Registered made = larger(settings.sendBytes(), first.places().sendBytes(), Set.of(Access.LOCAL_WRITE));
            if (made == null) {
                return null;
            }
            sends = made;
            onSendBuffer.run();
            return made.slice(0, settings.sendBytes());
        } finally {
            lock.unlock();
        }
    }

    /** Null if the wish is no larger than what is there, or the memory is not to be had: the connection goes on without. */
    private @Nullable Registered larger(int wish, int present, Set<Access> access) {
        if (closed || wish <= present) {
            return null;
        }
        try {
            return Registered.of(pd, wish, access);
        } catch (RdmaException | IllegalStateException noMemoryOrNoDevice) {
            return null;
        }
    }

    @Override
    public void sendBufferIsFree() {
        lock.lock();
        try {
            Registered free = sends;
            sends = null;
            if (free != null) {
                StreamService.end(free::end); // to deregister takes long
            }
        } finally {
            lock.unlock();
        }
    }

    // The end.

    /** Deregisters everything. */
    void close(FirstFailure failure) {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        closeRegion(registered, failure);
        closeRegion(receives, failure);
        closeRegion(sends, failure);
    }

    private static void closeRegion(@Nullable Registered made, FirstFailure failure) {
        failure.close(made == null ? null : made.region);
    }

    /** Frees the memory, after {@link #close}. */
    void free() {
        free(registered);
        free(receives);
        free(sends);
    }

    private static void free(@Nullable Registered made) {
        if (made != null) {
            made.memory.close();
        }
    }
}
