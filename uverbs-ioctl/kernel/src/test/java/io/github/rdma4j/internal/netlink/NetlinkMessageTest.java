// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.netlink.NetlinkMessage.Attributes;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.support.Captured;
import io.github.rdma4j.support.Cases;
import io.github.rdma4j.support.Draw;
import io.github.rdma4j.support.Seeds;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetlinkMessageTest {
    @Test
    void splitsADatagramIntoItsMessages() throws Exception {
        List<NetlinkMessage> messages = NetlinkMessage.split(Captured.join(Captured.RXE0, Captured.DONE));
        assertThat(messages).extracting(NetlinkMessage::type).containsExactly(0x1401, 3);
        assertThat(messages).allMatch(NetlinkMessage::isPartOfDump).allMatch(message -> message.sequence() == 1);
        assertThat(messages.get(1).result()).isZero();
    }

    @Test
    void readsEachTypeOfAttribute() throws Exception {
        Attributes device = NetlinkMessage.split(Captured.RXE0).get(0).attributes();
        assertThat(device.u32(1)).contains(0);
        assertThat(device.string(2)).contains("rxe0");
        assertThat(device.u64(6)).contains(0xe045acfffecad6d6L);
        assertThat(device.u8(14)).contains(1);
        assertThat(device.string(67)).contains("roce");
        assertThat(device.u32(73)).isEmpty();
    }

    @Test
    void ignoresTheFlagBitsOfAnAttributeType() throws Exception {
        Attributes nested = only("18000000 0114 0000 01000000 00000000 0800 03c0 07000000");
        assertThat(nested.u32(3)).contains(7);
    }

    @Test
    void takesAStringWithoutItsNul() throws Exception {
        assertThat(only("18000000 0114 0000 01000000 00000000 0800 0200 72786530")
                        .string(2))
                .contains("rxe0");
        assertThat(only("14000000 0114 0000 01000000 00000000 0400 0200").string(2))
                .contains("");
    }

    @Test
    void rejectsAnAttributeOfAnotherSize() throws Exception {
        Attributes device = NetlinkMessage.split(Captured.RXE0).get(0).attributes();
        assertThatThrownBy(() -> device.u32(6))
                .isInstanceOf(MalformedReplyException.class)
                .hasMessageContaining("attribute 6");
        assertThatThrownBy(() -> device.u8(1)).isInstanceOf(MalformedReplyException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10000000", // half a header
                "0f000000 0114 0000 01000000 00000000", // shorter than its header
                "ffffffff 0114 0000 01000000 00000000", // negative
                "14000000 0114 0000 01000000 00000000", // longer than what was read
                "12000000 0114 0000 01000000 00000000 0800", // half an attribute header
                "14000000 0114 0000 01000000 00000000 0300 0100", // attribute shorter than its header
                "18000000 0114 0000 01000000 00000000 0900 0100 00000000", // attribute longer than the message
            })
    void rejectsLengthsThatDoNotFit(String bytes) {
        assertThatThrownBy(() -> only(bytes)).isInstanceOf(MalformedReplyException.class);
    }

    @Test
    void rejectsAResultThatIsNotThere() throws Exception {
        NetlinkMessage done = NetlinkMessage.split(Captured.hex("10000000 0300 0200 01000000 00000000"))
                .get(0);
        assertThatThrownBy(done::result).isInstanceOf(MalformedReplyException.class);
    }

    @Test
    void rejectsEveryTruncation() {
        for (int length = 1; length < Captured.RXE0.length; length++) {
            byte[] cut = Arrays.copyOf(Captured.RXE0, length);
            assertThatThrownBy(() -> NetlinkMessage.split(cut)).isInstanceOf(MalformedReplyException.class);
        }
    }

    @ParameterizedTest
    @Seeds
    void neverThrowsAnythingElse(long seed) {
        Cases.run(seed, 1_000, random -> {
            byte[] tail = Draw.bytesUpTo(random, 255);
            byte[] bytes = Captured.join(Captured.hex("00000000 0114 0000 01000000 00000000"), tail);
            bytes[0] = (byte) bytes.length;
            bytes[1] = (byte) (bytes.length >> Byte.SIZE);
            try {
                Attributes attributes = NetlinkMessage.split(bytes).get(0).attributes();
                for (int type : attributes.values().keySet()) {
                    attributes.string(type);
                    attributes.u32(type);
                }
            } catch (MalformedReplyException expected) {
                assertThat(expected).hasMessageContaining("RDMA netlink reply");
            }
        });
    }

    private static Attributes only(String bytes) throws MalformedReplyException {
        return NetlinkMessage.split(Captured.hex(bytes)).get(0).attributes();
    }
}
