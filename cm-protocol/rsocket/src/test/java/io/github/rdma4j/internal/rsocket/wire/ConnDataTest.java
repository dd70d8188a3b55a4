// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.rsocket.wire.ConnData.Area;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ConnDataTest {
    /** What C sends with its usual sizes. */
    private static final byte[] GOLDEN = hex(
            "01 02 01 80 00 00 00 00", // version 1, a table of windows, 384 credits, 0 windows
            "00 00 7f 12 34 56 00 00", // the list
            "00 00 12 34 00 00 00 02", // its key, 2 entries
            "00 00 7f 12 34 58 00 00", // the first half of the receive buffer
            "00 00 56 78 00 01 00 00"); // its key, 64 KiB

    private static final Area LIST = new Area(0x7f12_3456_0000L, 0x1234, 2);
    private static final Area BUFFER = new Area(0x7f12_3458_0000L, 0x5678, 1 << 16);

    private static final int VERSION = 0;
    private static final int FLAGS = 1;
    private static final int CREDITS = 2;
    private static final int WINDOWS = 7;
    private static final int LIST_ADDRESS = 8;
    private static final int LIST_LENGTH = 20;
    private static final int BUFFER_ADDRESS = 24;
    private static final int BUFFER_LENGTH = 36;

    private static byte[] hex(String... lines) {
        return HexFormat.ofDelimiter(" ").parseHex(String.join(" ", lines));
    }

    private static byte[] with(int offset, String bytes) {
        byte[] data = GOLDEN.clone();
        byte[] part = hex(bytes);
        System.arraycopy(part, 0, data, offset, part.length);
        return data;
    }

    private static void refuses(byte[] data, String reason) {
        assertThatThrownBy(() -> ConnData.decode(data))
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void encodesAsC() {
        assertThat(new ConnData(ConnData.FLAG_IOMAP, 384, 0, LIST, BUFFER).encode())
                .isEqualTo(GOLDEN);
        assertThat(new ConnData(ConnData.FLAG_IOMAP, 384, 1, LIST, BUFFER).encode())
                .isEqualTo(with(WINDOWS, "01"));
        Area large = new Area(BUFFER.address(), BUFFER.key(), 1 << 19);
        assertThat(new ConnData(ConnData.FLAG_IOMAP, 384, 0, LIST, large).encode())
                .isEqualTo(with(BUFFER_LENGTH, "00 08 00 00"));
    }

    @Test
    void decodesWhatItEncodes() throws RdmaException {
        ConnData decoded = ConnData.decode(GOLDEN);
        assertThat(decoded).isEqualTo(new ConnData(ConnData.FLAG_IOMAP, 384, 0, LIST, BUFFER));
        assertThat(ConnData.decode(Arrays.copyOf(GOLDEN, 56)))
                .as("padded by the kernel")
                .isEqualTo(decoded);
        assertThat(ConnData.local(384, 0, LIST, BUFFER)).isEqualTo(decoded);
    }

    @Test
    void theNumberOfWindowsIsScaled() throws RdmaException {
        int[][] numbers = {{0, 0}, {1, 1}, {128, 128}, {129, 128}, {255, 128}, {256, 256}, {300, 256}, {32_512, 32_512}
        };
        for (int[] number : numbers) {
            byte[] data = ConnData.local(16, number[0], LIST, BUFFER).encode();
            assertThat(ConnData.decode(data).iomaps()).as("%d", number[0]).isEqualTo(number[1]);
        }
        assertThat(with(WINDOWS, "81")[WINDOWS]).isEqualTo((byte) ConnData.scaled(256));
        byte[] old = with(WINDOWS, "05");
        old[FLAGS] = 0;
        assertThat(ConnData.decode(old).iomaps())
                .as("an old peer without the field")
                .isZero();
    }

    @Test
    void refusesWhatIsNoRsocket() {
        refuses(new byte[0], "0 bytes");
        refuses(Arrays.copyOf(GOLDEN, 39), "39 bytes");
        refuses(with(VERSION, "00"), "version 0");
        refuses(with(VERSION, "02"), "version 2");
        refuses(with(VERSION, "ff"), "version 255");
        refuses(with(FLAGS, ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? "02" : "03"), "byte order");
    }

    @Test
    void refusesWhatContradictsItself() {
        refuses(with(CREDITS, "00 00"), "no credits");
        refuses(with(LIST_LENGTH, "00 00 00 00"), "0 entries");
        refuses(with(LIST_LENGTH, "ff ff ff ff"), "4294967295 entries");
        refuses(with(LIST_ADDRESS, "ff ff ff ff ff ff ff e8"), "list of entries that ends after");
        refuses(with(BUFFER_LENGTH, "00 00 00 00"), "without bytes");
        refuses(with(BUFFER_ADDRESS, "ff ff ff ff ff ff 00 00"), "buffer that ends after");
        refuses(with(BUFFER_ADDRESS, "ff ff ff ff ff ff ff ff"), "buffer that ends after");
    }

    @Test
    void takesUnusualValues() throws RdmaException {
        assertThat(ConnData.decode(with(CREDITS, "ff ff")).credits()).isEqualTo(0xffff);
        assertThat(ConnData.decode(with(CREDITS, "00 01")).credits()).isEqualTo(1);
        assertThat(ConnData.decode(with(LIST_LENGTH, "00 00 00 01")).targets().length())
                .isEqualTo(1);
        assertThat(ConnData.decode(with(BUFFER_LENGTH, "ff ff ff ff")).buffer().length())
                .isEqualTo(-1);
        assertThat(ConnData.decode(with(BUFFER_ADDRESS, "7f ff ff ff ff ff ff ff"))
                        .buffer()
                        .address())
                .isEqualTo(Long.MAX_VALUE);
        assertThat(ConnData.decode(with(BUFFER_ADDRESS, "ff ff ff ff ff fe ff ff"))
                        .buffer()
                        .address())
                .isEqualTo(-0x1_0001L);
    }

    @Test
    void anyBytesAreDecodedOrRefused() {
        Random random = new Random(1);
        int decoded = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] data = GOLDEN.clone();
            for (int flips = random.nextInt(6); flips >= 0; flips--) {
                data[random.nextInt(data.length)] = (byte) random.nextInt();
            }
            try {
                ConnData some = ConnData.decode(data);
                byte[] same = some.encode();
                assertThat(ByteBuffer.wrap(same, LIST_ADDRESS, 32)).isEqualTo(ByteBuffer.wrap(data, LIST_ADDRESS, 32));
                decoded++;
            } catch (RdmaException refused) {
                assertThat(refused).hasMessageStartingWith("the peer ");
            }
        }
        assertThat(decoded).isPositive();
    }

    @Test
    void versionOneIsRecognized() {
        assertThat(ConnData.isValid(GOLDEN)).isTrue();
        assertThat(ConnData.isValid(with(VERSION, "02"))).isFalse();
        assertThat(ConnData.isValid(Arrays.copyOf(GOLDEN, 39))).isFalse();
    }
}
