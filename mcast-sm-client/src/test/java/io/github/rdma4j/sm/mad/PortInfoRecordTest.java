// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.verbs.attr.PathMtu;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class PortInfoRecordTest {
    private static PortInfoRecord decode(int state, int mtuAndServiceLevel, int mtuCapability) {
        ByteBuffer bytes = ByteBuffer.allocate(PortInfoRecord.TYPE.bytes());
        bytes.put(36, (byte) state);
        bytes.put(40, (byte) mtuAndServiceLevel);
        bytes.put(45, (byte) mtuCapability);
        return PortInfoRecord.TYPE.decoder().apply(bytes);
    }

    @Test
    void hasNamesForStateAndMtus() {
        PortInfoRecord port = decode(0x34, 0x47, 0xf5);
        assertThat(port.state()).isEqualTo(PortAttr.State.ACTIVE);
        assertThat(port.neighborMtu()).isEqualTo(PathMtu.MTU_2048);
        assertThat(port.smSl()).isEqualTo(7);
        assertThat(port.mtuCapability()).isEqualTo(PathMtu.MTU_4096);
    }

    @Test
    void keepsNumbersWithoutAName() {
        PortInfoRecord port = decode(0x3f, 0xe0, 0x0d);
        assertThat(port.state()).isEqualTo(PortAttr.State.UNKNOWN);
        assertThat(port.rawState()).isEqualTo(15);
        assertThat(port.neighborMtu()).isEqualTo(PathMtu.UNKNOWN);
        assertThat(port.rawNeighborMtu()).isEqualTo(14);
        assertThat(port.mtuCapability()).isEqualTo(PathMtu.UNKNOWN);
        assertThat(port.rawMtuCapability()).isEqualTo(13);
    }
}
