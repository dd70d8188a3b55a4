// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.internal.verbs.Checks;
import io.github.rdma4j.internal.verbs.RegionMemory;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Access;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Operations that register segments of {@code java.lang.foreign}, of any length, and add parts of them to work
 * requests. For programs on JDK 22 or later; programs on earlier JDKs cannot use this class.
 *
 * <pre>{@code
 * MemoryRegion region = SegmentMemory.registerMr(pd, memory, EnumSet.of(Access.LOCAL_WRITE));
 * qp.postReceive(SegmentMemory.add(new ReceiveWorkRequest(1), region, memory.asSlice(3L << 30, 4096)));
 * }</pre>
 */
public final class SegmentMemory {
    private SegmentMemory() {}

    /**
     * Registers all bytes of a native or mapped segment. Offset 0 of the region is the first byte of the segment.
     *
     * <p>The region keeps the segment reachable, so memory of {@code Arena.ofAuto()} stays valid until the region is
     * closed. Memory of {@code Arena.global()} always stays valid. A confined or shared arena frees its memory when the
     * program closes the arena, which the region cannot prevent: close the region before the arena. A device that
     * writes to freed memory corrupts the process. After the arena is closed, posting a work request that uses the
     * region throws IllegalStateException. Receives that were posted earlier, and peers that know the remote key, still
     * reach the memory until the region is closed.
     *
     * <p>Confinement is checked only by this call. Any thread may post work requests that use the region, even if the
     * arena is confined; only the thread of the arena may access the bytes through the segment.
     *
     * @throws IllegalArgumentException if the segment is on the heap or empty, or if it is read-only and {@code access}
     *     allows writing
     * @throws IllegalStateException if the arena is closed before or during the call, or is confined to another thread
     * @throws ErrnoException ENOMEM if the pinned memory would exceed {@code RLIMIT_MEMLOCK}; EFAULT if the memory
     *     cannot be pinned, such as a file that is mapped read-only
     */
    public static MemoryRegion registerMr(ProtectionDomain pd, MemorySegment segment, Set<Access> access)
            throws RdmaException {
        check(segment);
        Checks.access(access, segment.isReadOnly());
        SegmentOwner owner = new SegmentOwner(segment.scope());
        MemoryRegion region = pd.register(
                RegionMemory.of(segment, segment.address(), segment.byteSize(), segment.isReadOnly(), owner), access);
        return Undo.onFailure(
                () -> {
                    owner.ensureInPlace();
                    return region;
                },
                region::close);
    }

    /**
     * Adds all bytes of {@code piece}, which must lie in the segment of {@code region}, as a scatter-gather entry of a
     * send request. Removes inline data from the request.
     *
     * @throws IllegalArgumentException if {@code piece} has more than {@link Integer#MAX_VALUE} bytes
     * @throws IndexOutOfBoundsException if {@code piece} is not within the region
     * @throws IllegalStateException if the request has no room for another scatter-gather entry
     */
    public static SendWorkRequest add(SendWorkRequest request, MemoryRegion region, MemorySegment piece) {
        return request.add(region, offset(region, piece), length(piece));
    }

    /**
     * Adds all bytes of {@code piece}, which must lie in the segment of {@code region}, as a scatter-gather entry of a
     * receive request.
     *
     * @throws IllegalArgumentException if {@code piece} is read-only, or has more than {@link Integer#MAX_VALUE} bytes
     * @throws IndexOutOfBoundsException if {@code piece} is not within the region
     * @throws IllegalStateException if the request has no room for another scatter-gather entry
     */
    public static ReceiveWorkRequest add(ReceiveWorkRequest request, MemoryRegion region, MemorySegment piece) {
        if (piece.isReadOnly()) {
            throw new IllegalArgumentException("cannot receive into a read-only segment: " + piece);
        }
        return request.add(region, offset(region, piece), length(piece));
    }

    private static void check(MemorySegment segment) {
        if (!segment.isNative()) {
            throw new IllegalArgumentException("cannot register a heap segment, because the garbage collector may move"
                    + " it: allocate the segment from an Arena; this is " + segment);
        }
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException("the arena of the segment is closed: " + segment);
        }
        if (!segment.isAccessibleBy(Thread.currentThread())) {
            throw new IllegalStateException("the segment is confined to another thread, which may close the arena at"
                    + " any time: register the segment in that thread, or use Arena.ofShared(); this is " + segment);
        }
    }

    private static int length(MemorySegment piece) {
        long length = piece.byteSize();
        if (length > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a segment of " + length + " bytes; a scatter-gather entry has at most "
                    + Integer.MAX_VALUE + " bytes: add several entries");
        }
        return (int) length;
    }

    /**
     * Returns the offset of {@code piece}. A heap segment, whose address is not in memory, is never within the region.
     */
    private static long offset(MemoryRegion region, MemorySegment piece) {
        long offset = piece.address() - region.iova();
        if (!piece.isNative() || offset < 0 || offset > region.length() - piece.byteSize()) {
            throw new IndexOutOfBoundsException(
                    piece + " is outside " + region + ", which starts at 0x" + Long.toHexString(region.iova()));
        }
        return offset;
    }

    /** Lets a memory region detect that the arena of its segment is closed, which the region cannot prevent. */
    private record SegmentOwner(MemorySegment.Scope scope) implements RegionMemory.Owner {
        @Override
        public void ensureInPlace() {
            if (!scope.isAlive()) {
                throw new IllegalStateException(
                        "the arena of the registered segment was closed before the memory region,"
                                + " and the device would access freed memory: close the region, and in future before the arena");
            }
        }

        @Override
        public void release() {
            // The arena frees the memory.
        }
    }
}
