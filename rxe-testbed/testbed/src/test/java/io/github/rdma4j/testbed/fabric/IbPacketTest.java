// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IbPacketTest {
    private static IbPacket read(byte[] bytes) {
        return IbPacket.read(bytes, 0, bytes.length).orElseThrow();
    }

    @Test
    void theInvariantCrcIsTheKernels() {
        byte[] bytes = Recorded.bytes(Recorded.GET_NODE_INFO);
        assertThat(read(bytes).isIntact()).isTrue();
        bytes[0] = 0x10;
        assertThat(read(bytes).isIntact()).as("another lane").isTrue();
        bytes[100] ^= 1;
        assertThat(read(bytes).isIntact()).isFalse();
        IbPacket mended = read(bytes);
        mended.seal();
        assertThat(mended.isIntact()).isTrue();
    }

    @Test
    void theFieldsOfASubnetManagementPacket() {
        IbPacket packet = read(Recorded.bytes(Recorded.GET_NODE_INFO_OF_NODE_2));
        assertThat(packet.isSubnetManagement()).isTrue();
        assertThat(packet.queuePair()).isZero();
        assertThat(packet.dlid()).isEqualTo(IbPacket.PERMISSIVE_LID);
        assertThat(packet.isMulticast()).isFalse();
        assertThat(packet.words()).isEqualTo(72);
        Mad mad = packet.mad().orElseThrow();
        assertThat(mad.managementClass()).isEqualTo(Mad.DIRECTED_ROUTE);
        assertThat(mad.hopPointer()).isEqualTo(1);
        assertThat(mad.hopCount()).isEqualTo(2);
        assertThat(mad.initialPath(2)).isEqualTo(2);
        assertThat(mad.isAllDirected()).isTrue();
        assertThat(mad.transaction()).isEqualTo(0x0000_0006_0000_1247L);
    }

    @Test
    void aPacketOfTheSwitchIsReadAsItWasMade() {
        byte[] mad = Mad.of(Mad.LID_ROUTED, Mad.TRAP, 2, 0, 7).toBytes();
        IbPacket packet = read(IbPacket.management(2, 1, 0, 0, mad).bytes());
        assertThat(packet.isIntact()).isTrue();
        assertThat(packet.slid()).isEqualTo(2);
        assertThat(packet.dlid()).isEqualTo(1);
        assertThat(packet.mad().orElseThrow().toBytes()).isEqualTo(mad);
    }

    @Test
    void whatIsNoPacketIsRefused() {
        byte[] bytes = Recorded.bytes(Recorded.GET_NODE_INFO);
        assertThat(IbPacket.read(bytes, 0, bytes.length - 1)).as("cut off").isEmpty();
        assertThat(IbPacket.read(bytes, 0, 0)).isEmpty();
        bytes[1] = 0;
        assertThat(IbPacket.read(bytes, 0, bytes.length)).as("a raw packet").isEmpty();
    }
}
