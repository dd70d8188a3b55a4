// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.rsocket.RsocketChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.CRC32C;

/** Bytes that a seed names, written and read in pieces of random sizes; the checksums of both ends must be equal. */
public final class RandomWrites {
    private static final int SMALL = 100;
    private static final int MIDDLE = 3000;
    private static final int LARGE = 50_000;
    private static final int PERIOD = 8191;

    private RandomWrites() {}

    /** What an end has written or read. */
    public record Sum(long bytes, long checksum) {}

    /** Mostly small: one in a hundred is large. */
    private static int size(Random random) {
        int kind = random.nextInt(100);
        return 1 + random.nextInt(kind == 0 ? LARGE : kind < 20 ? MIDDLE : SMALL);
    }

    /** Writes {@code writes} times, and ends the output. */
    public static Sum write(RsocketChannel channel, long seed, int writes) throws IOException {
        Random random = new Random(seed);
        byte[] content = new byte[PERIOD + LARGE];
        random.nextBytes(content);
        ByteBuffer bytes = ByteBuffer.allocateDirect(content.length).put(content);
        CRC32C checksum = new CRC32C();
        long total = 0;
        for (int i = 0; i < writes; i++) {
            int start = random.nextInt(PERIOD);
            bytes.clear().position(start).limit(start + size(random));
            checksum.update(bytes.duplicate());
            total += channel.write(bytes);
        }
        channel.shutdownOutput();
        return new Sum(total, checksum.getValue());
    }

    /** Reads in other sizes until the end. */
    public static Sum read(RsocketChannel channel, long seed) throws IOException {
        Random random = new Random(seed);
        ByteBuffer bytes = ByteBuffer.allocateDirect(LARGE);
        CRC32C checksum = new CRC32C();
        long total = 0;
        int read = channel.read(bytes);
        while (read >= 0) {
            checksum.update(bytes.flip());
            total += read;
            bytes.clear().limit(size(random));
            read = channel.read(bytes);
        }
        return new Sum(total, checksum.getValue());
    }
}
