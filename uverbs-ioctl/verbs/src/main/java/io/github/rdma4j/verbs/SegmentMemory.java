// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.verbs.Checks;
import io.github.rdma4j.internal.verbs.RegionMemory;
import io.github.rdma4j.internal.verbs.Undo;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Access;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Registers segments of {@code java.lang.foreign}, of any length, and adds pieces of them to work requests. For programs on
 * JDK 22 and later; programs on earlier JDKs do without this class.
 *
 * <pre>{@code
 * MemoryRegion region = SegmentMemory.registerMr(pd, memory, EnumSet.of(Access.LOCAL_WRITE));
 * qp.postReceive(SegmentMemory.add(new ReceiveWorkRequest(1), region, memory.asSlice(3L << 30, 4096)));
 * }</pre>
 */
public final class SegmentMemory {
    private SegmentMemory() {}

    /**
     * Registers all bytes of a native or mapped segment; offset 0 of the region is the first byte of the segment.
     *
     * <p>The region keeps the segment reachable, so that memory of {@code Arena.ofAuto()} stays until the region is closed,
     * and memory of {@code Arena.global()} stays anyway. A confined or shared arena frees its memory when the program closes
     * the arena, and nothing can keep the program from doing so: close the region before the arena. A device that
     * writes to freed memory corrupts the process. The region notices that its arena is closed: posting a work request over
     * it throws IllegalStateException then. Receives that were posted before, and peers that know the remote key, still reach
     * the memory until the region is closed.
     *
     * <p>Only this call looks at the thread. Any thread may post work requests over the region, also if the arena is confined;
     * the thread of the arena alone may read and write the bytes by the segment.
     *
     * @throws IllegalArgumentException when the segment is on the heap, empty, or read-only and to be written
     * @throws IllegalStateException when the arena is closed, is closed meanwhile, or is confined to another thread
     * @throws ErrnoException ENOMEM when more memory would be pinned than {@code RLIMIT_MEMLOCK} allows, EFAULT for memory
     *     that cannot be pinned, such as a file mapped for reading only
     */
    public static MemoryRegion registerMr(ProtectionDomain pd, MemorySegment segment, Set<Access> access)
            throws RdmaException {
        check(segment);
        Checks.access(access, segment.isReadOnly());
        SegmentOwner owner = new SegmentOwner(segment);
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
     * Adds all bytes of {@code piece}, which lie in the segment of {@code region}, to what {@code request} sends or reads
     * into. The request takes the place of inline data.
     *
     * @throws IllegalArgumentException when {@code piece} has more than {@link Integer#MAX_VALUE} bytes
     * @throws IndexOutOfBoundsException when {@code piece} is not within the region
     * @throws IllegalStateException when the request has no room for another piece
     */
    public static SendWorkRequest add(SendWorkRequest request, MemoryRegion region, MemorySegment piece) {
        return request.add(region, offset(region, piece), length(piece));
    }

    /**
     * Adds all bytes of {@code piece}, which lie in the segment of {@code region}, to what {@code request} receives into.
     *
     * @throws IllegalArgumentException when {@code piece} is read-only, or has more than {@link Integer#MAX_VALUE} bytes
     * @throws IndexOutOfBoundsException when {@code piece} is not within the region
     * @throws IllegalStateException when the request has no room for another piece
     */
    public static ReceiveWorkRequest add(ReceiveWorkRequest request, MemoryRegion region, MemorySegment piece) {
        if (piece.isReadOnly()) {
            throw new IllegalArgumentException("a receive into a read-only segment: " + piece);
        }
        return request.add(region, offset(region, piece), length(piece));
    }

    private static void check(MemorySegment segment) {
        if (!segment.isNative()) {
            throw new IllegalArgumentException(
                    "a memory region needs memory that stays in place, and the garbage collector"
                            + " moves what is on the heap: allocate the segment from an Arena; this is " + segment);
        }
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException("the arena of the segment is closed: " + segment);
        }
        if (!segment.isAccessibleBy(Thread.currentThread())) {
            throw new IllegalStateException(
                    "the segment is confined to another thread, which may close the arena at any"
                            + " time: register the segment in that thread, or take Arena.ofShared(); this is "
                            + segment);
        }
    }

    private static int length(MemorySegment piece) {
        long length = piece.byteSize();
        if (length > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a piece of " + length + " bytes; a piece of a work request has at most "
                    + Integer.MAX_VALUE + " bytes: add several");
        }
        return (int) length;
    }

    /** Of heap segments, which have addresses of their own, none may pass for one within the region. */
    private static long offset(MemoryRegion region, MemorySegment piece) {
        long offset = piece.address() - region.iova();
        if (!piece.isNative() || offset < 0 || offset > region.length() - piece.byteSize()) {
            throw new IndexOutOfBoundsException(
                    piece + " is outside " + region + " at 0x" + Long.toHexString(region.iova()));
        }
        return offset;
    }
}
