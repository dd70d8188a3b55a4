// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VirtualEthernetTest {
    @TempDir
    private Path directory;

    /** What QEMU is to the network. */
    private static final class Guest implements AutoCloseable {
        private final SocketChannel channel;
        private final DataInputStream in;

        Guest(Path socket) throws IOException {
            channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
            in = new DataInputStream(Channels.newInputStream(channel));
        }

        void send(String frame) throws IOException {
            byte[] bytes = frame.getBytes(StandardCharsets.US_ASCII);
            ByteBuffer message = ByteBuffer.allocate(Integer.BYTES + bytes.length);
            message.putInt(bytes.length).put(bytes).flip();
            while (message.hasRemaining()) {
                channel.write(message);
            }
        }

        String receive() throws IOException {
            return new String(in.readNBytes(in.readInt()), StandardCharsets.US_ASCII);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    private static void awaitGuests(VirtualEthernet ethernet, int guests) {
        while (ethernet.guests() < guests) {
            Thread.onSpinWait();
        }
    }

    /** Connected for certain: what it sends arrives at the other. */
    private static void greet(Guest from, Guest to, String frame) throws IOException {
        from.send(frame);
        assertThat(to.receive()).isEqualTo(frame);
    }

    @Test
    void aFrameGoesToAllOthersAndIntoTheCapture() throws Exception {
        Path socket = directory.resolve("ethernet");
        Path capture = directory.resolve("wire.pcap");
        try (VirtualEthernet ethernet = VirtualEthernet.open(socket, PcapFile.create(capture, false));
                Guest one = new Guest(socket);
                Guest two = new Guest(socket)) {
            // Until the hub has taken both on, what one sends might reach nobody.
            awaitGuests(ethernet, 2);
            greet(one, two, "first");
            greet(two, one, "a longer frame");
            try (Guest three = new Guest(socket)) {
                awaitGuests(ethernet, 3);
                one.send("to both");
                assertThat(two.receive()).isEqualTo("to both");
                assertThat(three.receive()).isEqualTo("to both");
            }
            greet(one, two, "after one has gone");
        }
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(capture)).order(ByteOrder.nativeOrder());
        assertThat(file.getInt()).isEqualTo(0xa1b23c4d);
        assertThat(file.getShort(4)).isEqualTo((short) 2);
        assertThat(file.getInt(20)).as("Ethernet").isEqualTo(1);
        file.position(24);
        for (String frame : new String[] {"first", "a longer frame", "to both", "after one has gone"}) {
            file.position(file.position() + 8);
            assertThat(file.getInt()).isEqualTo(frame.length());
            assertThat(file.getInt()).isEqualTo(frame.length());
            byte[] bytes = new byte[frame.length()];
            file.get(bytes);
            assertThat(new String(bytes, StandardCharsets.US_ASCII)).isEqualTo(frame);
        }
        assertThat(file.hasRemaining()).isFalse();
    }

    @Test
    void aCaptureOfInfiniBandHasPacketsAndNoOtherFrames() throws Exception {
        Path capture = directory.resolve("wire.pcap");
        byte[] frame = ByteBuffer.allocate(60)
                .putShort(12, (short) PcapFile.INFINIBAND_TYPE)
                .put(14, new byte[] {0, 2, 0, 5, 0, 7, 0, 4})
                .array();
        try (PcapFile file = PcapFile.create(capture, true)) {
            file.write(frame, frame.length, Instant.ofEpochSecond(2, 500_000_000));
            file.write(new byte[60], 60, Instant.EPOCH);
            file.write(frame, 20, Instant.EPOCH);
        }
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(capture)).order(ByteOrder.nativeOrder());
        assertThat(bytes.getInt(20)).as("ERF").isEqualTo(197);
        assertThat(bytes.getInt(32)).isEqualTo(16 + 28 + 2);
        byte[] record = new byte[16 + 8];
        bytes.get(40, record);
        assertThat(HexFormat.of().formatHex(record))
                .isEqualTo("0000008002000000" + "15" + "04" + "002e" + "0000" + "001e" + "0002000500070004");
        assertThat(bytes.capacity()).as("one record").isEqualTo(24 + 16 + 16 + 28 + 2);
    }

    @Test
    @SuppressWarnings("try") // a guest goes
    void aSwitchTakesFramesInPlaceOfTheHub() throws Exception {
        Path socket = directory.resolve("ethernet");
        BlockingQueue<String> taken = new LinkedBlockingQueue<>();
        try (VirtualEthernet ethernet = VirtualEthernet.open(socket, null);
                Guest two = new Guest(socket)) {
            ethernet.switchBy(new VirtualEthernet.Switching() {
                @Override
                public boolean frame(int node, byte[] frame, int length) {
                    return frame[0] == 's' && taken.add(new String(frame, 0, length, StandardCharsets.US_ASCII));
                }

                @Override
                public void gone(int node) {
                    taken.add("gone");
                }
            });
            try (Guest one = new Guest(socket)) {
                awaitGuests(ethernet, 2);
                one.send("switched");
                assertThat(taken.take()).isEqualTo("switched");
                greet(one, two, "hub");
            }
            assertThat(taken.take()).isEqualTo("gone");
        }
    }

    @Test
    void aCaptureThatCannotBeMadeIsSaidAtOnce() {
        assertThatThrownBy(() -> PcapFile.create(directory.resolve("no/such/directory/wire.pcap"), false))
                .isInstanceOf(IOException.class);
    }
}
