// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.irdma.Elements.Header;
import io.github.rdma4j.providers.card.MemoryKey.Segment;
import io.github.rdma4j.providers.card.SendElement.Memory;
import java.util.List;

/**
 * What an element says of a memory window; see {@link Requester}.
 *
 * @param key the key of the window, or any key to invalidate
 * @param region the key of the region
 * @param start the first byte, in the addresses of the region
 * @param length bytes
 * @param access what the peer may do, {@code IB_UVERBS_ACCESS_*}
 * @param isOfType1 whether the window can be bound while it is bound
 */
record IrdmaWindow(int key, int region, long start, long length, int access, boolean isOfType1) {
    private static final long BIND_FLAGS =
            Header.ADDRESSED_WINDOW | Header.READABLE_WINDOW | Header.WRITABLE_WINDOW | Header.WINDOW_OF_TYPE_1;

    /** A binding; X722 has the keys the other way round. */
    static IrdmaWindow bound(IrdmaElement element, long header, boolean firstGeneration) {
        int low = (int) element.word(1);
        int high = (int) (element.word(1) >>> Integer.SIZE);
        int access = ((header & Header.READABLE_WINDOW) != 0 ? MemoryKey.REMOTE_READ : 0)
                | ((header & Header.WRITABLE_WINDOW) != 0 ? MemoryKey.REMOTE_WRITE : 0);
        return new IrdmaWindow(
                firstGeneration ? high : low,
                firstGeneration ? low : high,
                element.word(0),
                element.word(2),
                access,
                (header & Header.WINDOW_OF_TYPE_1) != 0);
    }

    /** A key that is invalidated. */
    static IrdmaWindow invalidated(IrdmaElement element, boolean firstGeneration) {
        int key = (int) (firstGeneration ? element.word(1) >>> Integer.SIZE : element.word(1));
        return new IrdmaWindow(key, 0, 0, 0, 0, false);
    }

    /** Whether a header has the marks of a binding, and no others. */
    static boolean isBinding(long header) {
        long all = (long) Header.INLINE_MASK << Header.INLINE_SHIFT | Header.INLINE | Header.IMMEDIATE;
        return (header & Header.ADDRESSED_WINDOW) != 0 && (header & all & ~BIND_FLAGS) == 0;
    }

    SendElement element(int head, Operation operation, int code, int flags) {
        long regionAndAccess = (long) region << Integer.SIZE | access;
        boolean binds = operation == Operation.BIND;
        Segment window = new Segment(0, key, start);
        Memory memory = new Memory(window, length, binds ? regionAndAccess : 0, List.of(), null);
        return new SendElement(head, operation, code, 1, flags, isOfType1 ? 0 : 1, 0, null, memory);
    }
}
