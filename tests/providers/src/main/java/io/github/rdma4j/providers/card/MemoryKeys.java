// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.providers.card.CardFault.Syndrome;
import io.github.rdma4j.providers.card.MemoryKey.Segment;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The translation and protection table: who may reach which memory by which key. */
final class MemoryKeys {
    private static final int PAGE_SHIFT = 12;

    private final Map<Integer, MemoryKey> keys = new HashMap<>();

    /** The memory windows that exist, by all of their keys but the lowest byte; 0 or the key of the binding. */
    private final Map<Integer, Integer> windows = new HashMap<>();

    /** The pages that have been fetched, of regions whose pages are fetched on demand. */
    private final Set<Page> present = new HashSet<>();

    /** A page of the memory of a key, by its number in the addresses of the key. */
    private record Page(int key, long number) {}

    void add(MemoryKey key) {
        keys.put(key.number(), key);
    }

    void remove(int number) {
        keys.remove(number);
        present.removeIf(page -> page.key() == number);
    }

    // ---- windows

    private static int window(int key) {
        return key >>> Byte.SIZE;
    }

    /** A window without a binding; {@code key} is the key that the process gets. */
    void addWindow(int key) {
        windows.put(window(key), 0);
    }

    void removeWindow(int key) {
        Integer bound = windows.remove(window(key));
        if (bound != null) {
            remove(bound);
        }
    }

    /**
     * Binds the window that has the number of {@code to}; a binding of no bytes has none.
     *
     * @param to the new key, with the protection domain, range and rights of the binding; its place is that of the region
     * @param region the key of the region
     * @param again whether a window that is bound can be bound
     */
    void bind(MemoryKey to, int region, boolean again) throws CardFault {
        Integer bound = windows.get(window(to.number()));
        MemoryKey of = keys.get(region);
        boolean allowed = bound != null && (again || bound == 0);
        if (allowed && to.length() > 0) {
            boolean writes = (to.access() & (MemoryKey.REMOTE_WRITE | MemoryKey.REMOTE_ATOMIC)) != 0;
            int needed = MemoryKey.BIND | (writes ? MemoryKey.LOCAL_WRITE : 0);
            allowed = of != null
                    && of.pd() == to.pd()
                    && (of.access() & needed) == needed
                    && of.covers(to.iova(), to.length());
        }
        if (bound == null || !allowed) {
            throw new CardFault(Syndrome.MW_BIND_ERR);
        }
        remove(bound);
        windows.put(window(to.number()), 0);
        if (of != null && to.length() > 0) {
            long address = of.address() + to.iova() - of.iova();
            add(new MemoryKey(to.number(), to.pd(), to.iova(), to.length(), address, to.access()));
            windows.put(window(to.number()), to.number());
        }
    }

    /** Takes the binding of a window back; false when no window has that key. */
    boolean invalidate(int key) {
        boolean bound = key != 0 && windows.getOrDefault(window(key), 0) == key;
        if (bound) {
            remove(key);
            windows.put(window(key), 0);
        }
        return bound;
    }

    // ---- regions

    /** The memory of a piece that a work request of protection domain {@code pd} names. */
    ByteBuffer local(Segment piece, int pd, int access) throws CardFault {
        return reach(piece, pd, access, Syndrome.LOCAL_PROT_ERR);
    }

    /** The memory that a peer names. */
    ByteBuffer remote(Segment piece, int pd, int access) throws CardFault {
        return reach(piece, pd, access, Syndrome.REMOTE_ACCESS_ERR);
    }

    private ByteBuffer reach(Segment piece, int pd, int access, Syndrome otherwise) throws CardFault {
        MemoryKey key = keys.get(piece.key());
        boolean allowed = key != null
                && key.pd() == pd
                && (key.access() & access) == access
                && key.covers(piece.address(), piece.length());
        if (key == null || !allowed) {
            throw new CardFault(otherwise);
        }
        return NativeMemory.view(key.address() + piece.address() - key.iova(), piece.length());
    }

    /** All bytes of {@code pieces} in one array. */
    byte[] gather(List<Segment> pieces, int pd) throws CardFault {
        long total = Segment.total(pieces);
        if (total > Card.MAX_MESSAGE) {
            throw new CardFault(Syndrome.LOCAL_LENGTH_ERR);
        }
        byte[] data = new byte[(int) total];
        int at = 0;
        for (Segment piece : pieces) {
            local(piece, pd, 0).get(0, data, at, piece.length());
            at += piece.length();
        }
        return data;
    }

    /** Checks every piece, also those that the message does not reach. */
    void checkScatter(List<Segment> pieces, int pd) throws CardFault {
        for (Segment piece : pieces) {
            local(piece, pd, MemoryKey.LOCAL_WRITE);
        }
    }

    /** Fetches the pages of {@code pieces}, which have been checked, that {@code bytes} bytes reach; true when one was absent. */
    boolean fetch(List<Segment> pieces, int bytes) {
        boolean absent = false;
        int left = bytes;
        for (Segment piece : pieces) {
            int part = Math.min(piece.length(), left);
            left -= part;
            MemoryKey key = keys.get(piece.key());
            if (part > 0 && key != null && key.isOnDemand()) {
                long last = (piece.address() + part - 1) >>> PAGE_SHIFT;
                for (long page = piece.address() >>> PAGE_SHIFT; page <= last; page++) {
                    absent |= present.add(new Page(piece.key(), page));
                }
            }
        }
        return absent;
    }

    /** Puts {@code data} into {@code pieces}, which have been checked and have the room. */
    void scatter(List<Segment> pieces, int pd, byte[] data) throws CardFault {
        int at = 0;
        for (Segment piece : pieces) {
            int part = Math.min(piece.length(), data.length - at);
            if (part == 0) {
                return;
            }
            local(piece, pd, MemoryKey.LOCAL_WRITE).put(0, data, at, part);
            at += part;
        }
    }
}
