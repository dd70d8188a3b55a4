// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.internal.uverbs.MemoryCommands.RegMr;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.MemoryKey;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A memory region: pinned memory with a key, one for both sides. */
final class MrObject extends KernelObject {
    private static final int KEY_SHIFT = 8;
    private static final int KEY_VARIANT = 0x5a;
    private static final int DMABUF_ACCESS = 0xf | 1 << 20;
    private static final int REMOTE_CHANGES = MemoryKey.REMOTE_WRITE | MemoryKey.REMOTE_ATOMIC;

    private final Hca hca;
    private final MemoryKey key;

    /** Null for memory of the process. */
    private final CardKernel.@Nullable DmaBuf buffer;

    private Runnable atEnd = () -> {};

    private MrObject(Hca hca, KernelObject.Pd pd, CardKernel.@Nullable DmaBuf buffer, MemoryKey key) {
        super("mr", List.of(pd));
        this.hca = hca;
        this.buffer = buffer;
        this.key = key;
        hca.card().addKey(key);
    }

    static MrObject register(Hca hca, KernelObject.Handles handles, ByteBuffer request) throws Refusal {
        KernelObject.Pd pd = handles.get(KernelObject.Pd.class, request.getInt(RegMr.PD_HANDLE));
        long start = request.getLong(RegMr.START);
        long length = request.getLong(RegMr.LENGTH);
        long iova = request.getLong(RegMr.HCA_VA);
        int access = request.getInt(RegMr.ACCESS_FLAGS);
        Refusal.unless(length > 0 && (start - iova) % Mappings.PAGE == 0, Errno.EINVAL);
        boolean writable = (access & MemoryKey.LOCAL_WRITE) != 0;
        Refusal.unless(writable || (access & REMOTE_CHANGES) == 0, Errno.EINVAL);
        boolean pinned = (access & MemoryKey.ON_DEMAND) == 0;
        Refusal.unless(!pinned || hca.memory().lock(start, length), Errno.ENOMEM);
        int number = hca.newNumber() << KEY_SHIFT | KEY_VARIANT;
        return new MrObject(hca, pd, null, new MemoryKey(number, pd.number(), iova, length, start, access));
    }

    /** A region of a dma-buf, which is not counted as memory of the process. */
    static MrObject register(Hca hca, KernelObject.Pd pd, CardKernel.DmaBuf buffer, Place place, int access)
            throws Refusal {
        Refusal.unless((place.offset() - place.iova()) % Mappings.PAGE == 0, Errno.EINVAL);
        Refusal.unless((access & ~DMABUF_ACCESS) == 0, Errno.EINVAL);
        boolean inside =
                place.offset() >= 0 && place.length() > 0 && place.length() <= buffer.length() - place.offset();
        Refusal.unless(inside, Errno.EINVAL);
        int number = hca.newNumber() << KEY_SHIFT | KEY_VARIANT;
        long address = buffer.address() + place.offset();
        return new MrObject(
                hca, pd, buffer, new MemoryKey(number, pd.number(), place.iova(), place.length(), address, access));
    }

    /**
     * A part of a dma-buf.
     *
     * @param offset where it begins
     * @param length bytes
     * @param iova the address by which work requests name the first byte
     */
    record Place(long offset, long length, long iova) {}

    int key() {
        return key.number();
    }

    /** Does {@code action} when the region is gone. */
    void then(Runnable action) {
        atEnd = action;
    }

    @Override
    void release() {
        atEnd.run();
        hca.card().removeKey(key.number());
        if (buffer == null && !key.isOnDemand()) {
            hca.memory().unlock(key.address(), key.length());
        }
    }
}
