// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.memory.NativeMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * The rings of {@link ModelKernel} from the device's side. A ring that the process has retired reads as zeros in the process, and
 * the device sees it no more.
 */
public final class ModelQueues {
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final int PRODUCER = 128;
    private static final int CONSUMER = 256;
    private static final int DATA = 384;

    private final int slotShift;
    private final int mask;
    private final Map<Long, ByteBuffer> rings = new HashMap<>();
    private List<ByteBuffer> fresh = new ArrayList<>();

    /** For rings of {@code mask + 1} slots of {@code 1 << slotShift} bytes. */
    public ModelQueues(int slotShift, int mask) {
        this.slotShift = slotShift;
        this.mask = mask;
    }

    public synchronized void mapped(ByteBuffer ring) {
        rings.put(NativeMemory.address(ring), ring);
        fresh.add(ring);
    }

    /** The rings that were mapped since the last call. */
    public synchronized List<ByteBuffer> takeFresh() {
        List<ByteBuffer> taken = fresh;
        fresh = new ArrayList<>();
        return taken;
    }

    public synchronized void retired(long address, long length) {
        rings.remove(address);
        NativeMemory.view(address, (int) length).put(0, new byte[(int) length]);
    }

    /** Takes the oldest work request of a ring; empty when there is none, or the ring is retired. */
    public synchronized OptionalLong take(ByteBuffer ring) {
        OptionalLong oldest = oldest(ring);
        oldest.ifPresent(wrId -> advance(ring));
        return oldest;
    }

    /**
     * Takes the oldest work request of a ring if {@code room} is true, and has it {@code completed} then: who learns of the
     * completion finds room in the ring, as with rxe. The ring is not retired meanwhile.
     */
    public synchronized void takeIf(ByteBuffer ring, BooleanSupplier room, LongConsumer completed) {
        OptionalLong oldest = oldest(ring);
        if (oldest.isPresent() && room.getAsBoolean()) {
            advance(ring);
            completed.accept(oldest.getAsLong());
        }
    }

    @SuppressWarnings("ReferenceEquality") // the same ring, and not the same bytes
    private OptionalLong oldest(ByteBuffer ring) {
        if (rings.get(NativeMemory.address(ring)) != ring) {
            return OptionalLong.empty();
        }
        int consumer = (int) INT.getAcquire(ring, CONSUMER);
        if (consumer == (int) INT.getAcquire(ring, PRODUCER)) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(ring.getLong(DATA + (consumer << slotShift)));
    }

    private void advance(ByteBuffer ring) {
        INT.setRelease(ring, CONSUMER, ((int) INT.getAcquire(ring, CONSUMER) + 1) & mask);
    }
}
