// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.net.DatagramPacket;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How much room packets have. A packet that has received a short datagram has its length, and yet room for a longer one; only the
 * JDK's own sockets can tell the two apart. Safe for use by several threads.
 */
final class Packets {
    /** What a packet was given: whoever changes one of these means another room. */
    private static final class Given {
        private final byte[] data;
        private final int offset;
        private final int length;
        private final int room;

        Given(byte[] data, int offset, int length, int room) {
            this.data = data;
            this.offset = offset;
            this.length = length;
            this.room = room;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<DatagramPacket, Given> received = new WeakHashMap<>();

    /** The longest datagram that the packet can receive. */
    int room(DatagramPacket packet) {
        lock.lock();
        try {
            Given given = received.get(packet);
            if (given == null
                    || given.data != packet.getData()
                    || given.offset != packet.getOffset()
                    || given.length != packet.getLength()) {
                return packet.getLength();
            }
            return given.room;
        } finally {
            lock.unlock();
        }
    }

    /** Sets the length of a datagram that a packet with {@code room} has received. */
    void received(DatagramPacket packet, int length, int room) {
        packet.setLength(length);
        lock.lock();
        try {
            if (length < room) {
                received.put(packet, new Given(packet.getData(), packet.getOffset(), length, room));
            } else {
                received.remove(packet);
            }
        } finally {
            lock.unlock();
        }
    }
}
