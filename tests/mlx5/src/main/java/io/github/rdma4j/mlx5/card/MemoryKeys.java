// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.mlx5.card;

import io.github.rdma4j.internal.memory.NativeMemory;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The translation and protection table: who may reach which memory by which key. */
final class MemoryKeys {
    private final Map<Integer, MemoryKey> keys = new HashMap<>();

    void add(MemoryKey key) {
        keys.put(key.number(), key);
    }

    void remove(int number) {
        keys.remove(number);
    }

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
