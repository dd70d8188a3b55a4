// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/**
 * A capture file of Ethernet frames in the format of libpcap, with times in nanoseconds. Every frame is in the file
 * when {@link #write} returns. Not thread-safe.
 */
public final class PcapFile implements AutoCloseable {
    private static final int MAGIC_NANOSECONDS = 0xa1b23c4d;
    private static final int LONGEST_FRAME = 1 << 18;
    private static final int LINK_TYPE_ETHERNET = 1;
    private static final int FILE_HEADER_BYTES = 24;
    private static final int RECORD_HEADER_BYTES = 16;

    private final FileChannel file;

    private PcapFile(FileChannel file) {
        this.file = file;
    }

    /** Creates the file, or replaces its content. */
    public static PcapFile create(Path path) throws IOException {
        FileChannel file = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        ByteBuffer header = ByteBuffer.allocate(FILE_HEADER_BYTES).order(ByteOrder.nativeOrder());
        header.putInt(MAGIC_NANOSECONDS).putShort((short) 2).putShort((short) 4);
        header.putInt(0).putInt(0).putInt(LONGEST_FRAME).putInt(LINK_TYPE_ETHERNET);
        writeAll(file, header.flip());
        return new PcapFile(file);
    }

    /** Appends a frame, from the destination address on and without a checksum, with the present time. */
    void write(byte[] frame, int length) throws IOException {
        write(frame, length, Instant.now());
    }

    /** Appends a frame of an earlier time. */
    public void write(byte[] frame, int length, Instant time) throws IOException {
        ByteBuffer entry = ByteBuffer.allocate(RECORD_HEADER_BYTES + length).order(ByteOrder.nativeOrder());
        entry.putInt((int) time.getEpochSecond()).putInt(time.getNano());
        entry.putInt(length).putInt(length).put(frame, 0, length);
        writeAll(file, entry.flip());
    }

    private static void writeAll(FileChannel file, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
