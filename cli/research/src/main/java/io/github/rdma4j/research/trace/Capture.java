// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads capture files of libpcap with Ethernet frames, or with the packets of InfiniBand that the testbed captures. */
public final class Capture {
    private static final int MAGIC_MICROSECONDS = 0xa1b2c3d4;
    private static final int MAGIC_NANOSECONDS = 0xa1b23c4d;
    private static final int LINK_TYPE = 20;
    private static final int LINK_TYPE_ETHERNET = 1;
    private static final int LINK_TYPE_RECORDS = 197;
    private static final int RECORD_BYTES = 16;
    private static final int FILE_HEADER_BYTES = 24;
    private static final int RECORD_HEADER_BYTES = 16;
    private static final long NANOSECONDS = 1_000_000_000L;

    private Capture() {}

    /**
     * A frame.
     *
     * @param time nanoseconds since the epoch, by the clock of the machine that captured
     * @param bytes from the destination address on; of InfiniBand, from the local route header on
     * @param isInfiniBand whether this is a packet of InfiniBand
     */
    @SuppressWarnings("ArrayRecordComponent") // read once, never compared
    public record Frame(long time, byte[] bytes, boolean isInfiniBand) {}

    /** The frames of a file. A record that is cut off at the end, as in a file that is being written, is left out. */
    public static List<Frame> read(Path file) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file));
        if (in.remaining() < FILE_HEADER_BYTES) {
            throw new IOException(file + " is no capture file: it has " + in.remaining() + " bytes");
        }
        if (!isMagic(in.getInt(0))) {
            in.order(ByteOrder.LITTLE_ENDIAN);
        }
        boolean isInfiniBand = in.getInt(LINK_TYPE) == LINK_TYPE_RECORDS;
        if (!isMagic(in.getInt(0)) || (!isInfiniBand && in.getInt(LINK_TYPE) != LINK_TYPE_ETHERNET)) {
            throw new IOException(file + " is no capture file of libpcap with Ethernet frames");
        }
        int skipped = isInfiniBand ? RECORD_BYTES : 0;
        long unit = in.getInt(0) == MAGIC_NANOSECONDS ? 1 : 1000;
        in.position(FILE_HEADER_BYTES);
        List<Frame> frames = new ArrayList<>();
        while (in.remaining() >= RECORD_HEADER_BYTES) {
            long time = Integer.toUnsignedLong(in.getInt()) * NANOSECONDS + in.getInt() * unit;
            int length = in.getInt();
            in.getInt();
            if (length < skipped || length > in.remaining()) {
                break;
            }
            byte[] bytes = new byte[length - skipped];
            in.position(in.position() + skipped).get(bytes);
            frames.add(new Frame(time, bytes, isInfiniBand));
        }
        return frames;
    }

    private static boolean isMagic(int word) {
        return word == MAGIC_MICROSECONDS || word == MAGIC_NANOSECONDS;
    }
}
