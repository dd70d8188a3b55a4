// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.rsocket.wire.ConnData.Area;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The writes and messages of the engine, bit by bit: those of a little-endian machine. */
@EnabledIf("isLittleEndian")
class GoldenWritesTest {
    static boolean isLittleEndian() {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void theFirstWriteOffersTheSecondHalf() throws RdmaException {
        assertThat(Recorder.connected(Setup.USUAL).take())
                .containsExactly("80000180 to 7f1234560010/1234: 00 00 01 cd ab 7f 00 00 bc 9a 00 00 00 00 01 00");
        // Messages of iWARP have the same 32 bits, in the sender's order.
        assertThat(Recorder.connected(Setup.USUAL.iwarp()).take())
                .containsExactly("80000180 to 7f1234560010/1234: 00 00 01 cd ab 7f 00 00 bc 9a 00 00 00 00 01 00");
    }

    @Test
    void theDescriptionOffersTheFirstHalf() {
        Recorder recorder = new Recorder(Setup.USUAL.windows(1));
        ConnData data = recorder.engine.description();
        assertThat(data.credits()).isEqualTo(384);
        assertThat(data.iomaps()).isEqualTo(1);
        assertThat(data.targets()).isEqualTo(new Area(recorder.memory.remoteAddress(), 0x9abc, 2));
        assertThat(data.buffer()).isEqualTo(new Area(0x7fab_cd00_0000L, 0x9abc, 1 << 16));
    }

    @Test
    void dataGoToTheOfferedMemory() throws RdmaException {
        Recorder recorder = Recorder.connected(Setup.USUAL);
        recorder.take();
        assertThat(recorder.engine.write(text("hello"))).isEqualTo(5);
        recorder.engine.write(text("!"));
        assertThat(recorder.take())
                .containsExactly("00000005 to 7f1234580000/5678: 68 65 6c 6c 6f", "00000001 to 7f1234580005/5678: 21");
    }

    @Test
    void creditsAreDueAfterHalfOfThem() throws RdmaException {
        Recorder recorder = Recorder.connected(Setup.USUAL);
        recorder.take();
        for (int i = 0; i < 192; i++) {
            assertThat(recorder.take()).isEmpty();
            recorder.engine.received(Message.of(Message.DATA, 1), 1);
            recorder.engine.proceed();
        }
        assertThat(recorder.take()).containsExactly("80000240 to 0/0: ");
    }

    @Test
    void windowsGoToTheTableBehindTheList() throws RdmaException {
        Recorder recorder = Recorder.connected(Setup.USUAL);
        recorder.take();
        recorder.engine.map(0x10, new Area(0x7fab_cd05_0000L, 0x11, 4096));
        recorder.engine.map(0, new Area(0x7fab_cd06_0000L, 0x12, 4096));
        assertThat(recorder.take())
                .containsExactly(
                        "c0000000 to 7f1234560020/1234: 10 00 00 00 00 00 00 00 00 00 05 cd ab 7f 00 00 11 00 00 00 00 10 00 00",
                        "c0000001 to 7f1234560038/1234: 00 00 00 00 00 00 00 00 00 00 06 cd ab 7f 00 00 12 00 00 00 00 10 00 00");
    }

    @Test
    void endsAreMessagesWithoutBytes() throws RdmaException {
        Recorder recorder = Recorder.connected(Setup.USUAL);
        recorder.take();
        recorder.engine.shutdownOutput();
        assertThat(recorder.take()).containsExactly("e0000002 to 0/0: ");
        recorder.engine.disconnect();
        assertThat(recorder.take()).containsExactly("e0000000 to 0/0: ");
    }

    @Test
    void aSignOfLifeIsAWriteWithoutBytesAndMessage() throws RdmaException {
        Recorder recorder = Recorder.connected(Setup.USUAL);
        recorder.take();
        recorder.engine.keepAlive();
        assertThat(recorder.take()).containsExactly("- to 0/0: ");
        recorder.engine.received(Message.of(Message.CTRL, Message.KEEPALIVE), 0);
        recorder.engine.proceed();
        assertThat(recorder.take()).isEmpty();
    }

    @Test
    void signsOfLifeKeepToTheSlotsForMessagesWithoutCredits() throws RdmaException {
        Recorder recorder = Recorder.connected(Setup.USUAL);
        for (int i = 0; i < 100; i++) {
            recorder.engine.keepAlive();
        }
        assertThat(recorder.take()).hasSize(SendWindow.CONTROL_SLOTS);
        recorder.engine.sent(recorder.last);
        recorder.engine.keepAlive();
        recorder.engine.disconnect();
        recorder.engine.keepAlive();
        assertThat(recorder.take()).containsExactly("- to 0/0: ", "e0000000 to 0/0: ");
    }

    @Test
    void dataLeaveSlotsForMessagesWithoutCredits() throws RdmaException {
        for (Setup setup : new Setup[] {
            Setup.USUAL.queues(16, 16), Setup.USUAL.queues(20, 16).iwarp()
        }) {
            Recorder recorder = Recorder.connected(setup);
            recorder.engine.sent(recorder.last);
            recorder.take();
            while (recorder.engine.write(text("x")) > 0) {
                assertThat(recorder.last).isLessThan(100);
            }
            assertThat(recorder.take()).hasSizeGreaterThan(4);
            recorder.engine.keepAlive();
            recorder.engine.disconnect();
            assertThat(recorder.take()).containsExactly("- to 0/0: ", "e0000000 to 0/0: ");
        }
    }

    @Test
    void bytesWithoutCreditsWaitAndTheEndComesAfterThem() throws RdmaException {
        Recorder recorder = new Recorder(Setup.USUAL);
        recorder.engine.connected(Recorder.peer(10, 0));
        recorder.engine.holdBytes();
        recorder.take();
        for (int i = 0; i < 20; i++) {
            assertThat(recorder.engine.write(text("x"))).isEqualTo(1);
        }
        assertThat(recorder.take()).hasSize(10);
        recorder.engine.disconnect();
        assertThat(recorder.take()).isEmpty();
        recorder.engine.sent(recorder.last);
        assertThat(recorder.engine.isDrained()).isFalse();
        recorder.engine.received(Message.of(Message.SGL, 11), 0);
        recorder.engine.proceed();
        List<String> last = recorder.take();
        assertThat(last).hasSize(2);
        assertThat(last.get(0)).startsWith("0000000a to").endsWith("78 78 78 78 78 78 78 78 78 78");
        assertThat(last.get(1)).isEqualTo("e0000000 to 0/0: ");
        recorder.engine.sent(recorder.last);
        assertThat(recorder.engine.isDrained()).isTrue();
    }

    @Test
    void theEntriesOfThePeersListTakeTurns() throws RdmaException {
        for (int entries = 1; entries <= 3; entries++) {
            Recorder recorder = new Recorder(Setup.USUAL.buffers(8, 4096));
            recorder.engine.connected(ConnData.local(384, 0, new Area(0x1000, 1, entries), Recorder.BUFFER));
            StringBuilder slots = new StringBuilder();
            for (int i = 0; i < 5; i++) {
                for (String post : recorder.take()) {
                    slots.append(post.charAt("80000180 to 10".length()));
                    recorder.engine.sent(recorder.last);
                }
                recorder.engine.received(Message.of(Message.DATA, 4), 4);
                recorder.engine.read(ByteBuffer.allocate(4));
            }
            assertThat(slots.toString())
                    .as("%d entries", entries)
                    .isEqualTo(entries == 1 ? "0000" : entries == 2 ? "10101" : "12012");
        }
    }

    @Test
    void nothingIsSaidBeforeTheConnectionIsMade() throws RdmaException {
        Recorder recorder = new Recorder(Setup.USUAL);
        recorder.engine.proceed();
        recorder.engine.keepAlive();
        assertThat(recorder.engine.write(text("early"))).isZero();
        assertThat(recorder.engine.writeAt(0, text("early"))).isZero();
        recorder.engine.shutdownOutput();
        assertThat(recorder.take()).isEmpty();
        recorder.engine.connected(Recorder.peer(384, 0));
        assertThat(recorder.take()).element(0).isEqualTo("e0000002 to 0/0: ");
    }
}
