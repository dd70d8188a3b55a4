// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Extracts the ELF kernel from a {@code bzImage}. QEMU starts it through its PVH entry, which saves the 3 s in which an
 * emulated guest would decompress itself.
 *
 * <pre>{@code
 * struct setup_header {           // arch/x86/include/uapi/asm/bootparam.h, boot protocol 2.08
 *     __u8  setup_sects;          // 0x1f1  512-byte sectors of real mode code after the boot sector
 *     __u32 header;               // 0x202  "HdrS"
 *     __u32 payload_offset;       // 0x248  from the start of the protected mode code
 *     __u32 payload_length;       // 0x24c  the compressed kernel and its size
 * };
 * }</pre>
 */
final class Vmlinux {
    private static final int SETUP_SECTS = 0x1f1;
    private static final int HEADER = 0x202;
    private static final int PAYLOAD_OFFSET = 0x248;
    private static final int PAYLOAD_LENGTH = 0x24c;
    private static final int HEADER_MAGIC = 0x53726448;
    private static final int SECTOR = 512;

    /** The build appends the uncompressed size to streams whose format lacks it. */
    private static final int SIZE_TRAILER = 4;

    private static final int ELF_MAGIC = 0x464c457f;
    private static final Map<Integer, List<String>> DECOMPRESSORS = Map.of(
            0x587a37fd, List.of("xz", "-dc"),
            0xfd2fb528, List.of("zstd", "-dc", "-q"));

    private Vmlinux() {}

    static void extract(Path bzImage, Path vmlinux) throws IOException, TestbedException, InterruptedException {
        ByteBuffer image = ByteBuffer.wrap(Files.readAllBytes(bzImage)).order(ByteOrder.LITTLE_ENDIAN);
        if (image.capacity() < PAYLOAD_LENGTH + Integer.BYTES || image.getInt(HEADER) != HEADER_MAGIC) {
            throw new TestbedException(bzImage + " is not an x86 kernel image");
        }
        int start = (Byte.toUnsignedInt(image.get(SETUP_SECTS)) + 1) * SECTOR + image.getInt(PAYLOAD_OFFSET);
        int length = image.getInt(PAYLOAD_LENGTH) - SIZE_TRAILER;
        List<String> decompressor = DECOMPRESSORS.get(image.getInt(start));
        if (decompressor == null) {
            throw new TestbedException(
                    "unknown compression of " + bzImage + ": " + Integer.toHexString(image.getInt(start)));
        }
        Path payload = vmlinux.resolveSibling("payload");
        byte[] bytes = new byte[length];
        image.get(start, bytes);
        Files.write(payload, bytes);
        Tool.filter(decompressor, payload, vmlinux);
        Files.delete(payload);
        try (var channel = Files.newByteChannel(vmlinux)) {
            ByteBuffer magic = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            if (channel.read(magic) != Integer.BYTES || magic.getInt(0) != ELF_MAGIC) {
                throw new TestbedException(bzImage + " does not hold an ELF kernel");
            }
        }
    }
}
