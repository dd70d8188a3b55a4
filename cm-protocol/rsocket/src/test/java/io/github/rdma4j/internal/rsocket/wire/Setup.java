// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import java.util.Random;

/**
 * The sizes of one side.
 *
 * @param receive the receive buffer
 * @param send the send buffer
 * @param iomaps the windows of the peer that it can hold
 * @param sendQueue the slots of the send queue
 * @param receiveQueue the receives that the peer is promised
 * @param messagesAreSent true on iWARP
 * @param c true for the model of C's rsockets, false for the engine
 * @param larger the buffers that there are for an engine that needs larger ones; 0 for none
 */
record Setup(
        int receive,
        int send,
        int iomaps,
        int sendQueue,
        int receiveQueue,
        boolean messagesAreSent,
        boolean c,
        int larger) {
    /** The smallest send buffer: with fewer bytes a window for the peer's table may never find room. */
    private static final int LEAST_RING = 64;

    static final Setup USUAL = new Setup(1 << 17, 1 << 17, 0, 384, 384, false, false, 0);

    Setup buffers(int receiveBytes, int sendBytes) {
        return new Setup(receiveBytes, sendBytes, iomaps, sendQueue, receiveQueue, messagesAreSent, c, larger);
    }

    Setup queues(int sends, int receives) {
        return new Setup(receive, send, iomaps, sends, receives, messagesAreSent, c, larger);
    }

    Setup windows(int size) {
        return new Setup(receive, send, size, sendQueue, receiveQueue, messagesAreSent, c, larger);
    }

    Setup iwarp() {
        return new Setup(receive, send, iomaps, sendQueue, receiveQueue, true, c, larger);
    }

    Setup likeC() {
        return new Setup(receive, Math.max(send, 4096), iomaps, sendQueue, receiveQueue, messagesAreSent, true, larger);
    }

    Setup growing(int bytes) {
        return new Setup(receive, send, iomaps, sendQueue, receiveQueue, messagesAreSent, c, bytes);
    }

    /** Sizes from the smallest on, most of them small. */
    static Setup random(Random random) {
        int receive = 2 * (1 + random.nextInt(1 << random.nextInt(14)));
        int send = LEAST_RING + random.nextInt(1 << random.nextInt(14));
        int sends = 16 + random.nextInt(1 << random.nextInt(7));
        int receives = 16 + random.nextInt(1 << random.nextInt(7));
        int larger = random.nextInt(3) == 0 ? 0 : LEAST_RING + 2 * random.nextInt(1 << random.nextInt(14));
        return USUAL.buffers(receive, send)
                .queues(sends, receives)
                .windows(random.nextInt(4))
                .growing(larger);
    }

    StreamMemory.Places places() {
        return new StreamMemory.Places(receive, send, iomaps, 0);
    }
}
