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
 * A capture file in the format of libpcap, with times in nanoseconds, of Ethernet frames or of the InfiniBand packets in
 * them. Every frame is in the file when {@link #write} returns. Not thread-safe.
 */
public final class PcapFile implements AutoCloseable {
    private static final int MAGIC_NANOSECONDS = 0xa1b23c4d;
    private static final int LONGEST_FRAME = 1 << 18;
    private static final int LINK_TYPE_ETHERNET = 1;

    /** Records that say what each of them is. Older readers know no other type for InfiniBand. */
    private static final int LINK_TYPE_RECORDS = 197;

    private static final int RECORD_BYTES = 16;
    private static final byte RECORD_OF_INFINIBAND = 21;
    private static final byte VARYING_LENGTH = 4;
    private static final int ETHERNET_HEADER_BYTES = 14;

    /** The variant CRC of a packet, which no frame has. Its place is zero. */
    private static final int VARIANT_CRC_BYTES = 2;

    /** The type of the frames with an InfiniBand packet. */
    public static final int INFINIBAND_TYPE = 0x88b5;

    private static final int FILE_HEADER_BYTES = 24;
    private static final int RECORD_HEADER_BYTES = 16;

    private final FileChannel file;
    private final boolean infiniBand;

    private PcapFile(FileChannel file, boolean infiniBand) {
        this.file = file;
        this.infiniBand = infiniBand;
    }

    /**
     * Creates a file, or replaces its content.
     *
     * @param infiniBand whether the file gets the InfiniBand packets in Ethernet frames; other frames are left out then
     */
    public static PcapFile create(Path path, boolean infiniBand) throws IOException {
        FileChannel file = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        ByteBuffer header = ByteBuffer.allocate(FILE_HEADER_BYTES).order(ByteOrder.nativeOrder());
        header.putInt(MAGIC_NANOSECONDS).putShort((short) 2).putShort((short) 4);
        header.putInt(0).putInt(0).putInt(LONGEST_FRAME).putInt(infiniBand ? LINK_TYPE_RECORDS : LINK_TYPE_ETHERNET);
        writeAll(file, header.flip());
        return new PcapFile(file, infiniBand);
    }

    /** Appends a frame, from the destination address on and without a checksum, with the present time. */
    void write(byte[] frame, int length) throws IOException {
        write(frame, length, Instant.now());
    }

    /** Appends a frame of an earlier time. */
    public void write(byte[] frame, int length, Instant time) throws IOException {
        if (infiniBand) {
            writePacket(frame, length, time);
        } else {
            writeRecord(ByteBuffer.wrap(frame, 0, length), time);
        }
    }

    private void writePacket(byte[] frame, int length, Instant time) throws IOException {
        ByteBuffer packet = ByteBuffer.wrap(frame, 0, length);
        boolean complete = length > ETHERNET_HEADER_BYTES + Long.BYTES
                && (packet.getShort(ETHERNET_HEADER_BYTES - 2) & 0xffff) == INFINIBAND_TYPE;
        int words = complete ? packet.getShort(ETHERNET_HEADER_BYTES + 4) & 0x7ff : 0;
        int bytes = words * Integer.BYTES;
        if (bytes == 0 || bytes > length - ETHERNET_HEADER_BYTES) {
            return;
        }
        int captured = bytes + VARIANT_CRC_BYTES;
        long fraction = ((long) time.getNano() << Integer.SIZE) / 1_000_000_000;
        ByteBuffer entry = ByteBuffer.allocate(RECORD_BYTES + captured);
        entry.putLong(Long.reverseBytes(time.getEpochSecond() << Integer.SIZE | fraction));
        entry.put(RECORD_OF_INFINIBAND).put(VARYING_LENGTH).putShort((short) (RECORD_BYTES + captured));
        entry.putShort((short) 0).putShort((short) captured).put(frame, ETHERNET_HEADER_BYTES, bytes);
        writeRecord(entry.rewind(), time);
    }

    private void writeRecord(ByteBuffer content, Instant time) throws IOException {
        int length = content.remaining();
        ByteBuffer entry = ByteBuffer.allocate(RECORD_HEADER_BYTES + length).order(ByteOrder.nativeOrder());
        entry.putInt((int) time.getEpochSecond()).putInt(time.getNano());
        entry.putInt(length).putInt(length).put(content);
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
