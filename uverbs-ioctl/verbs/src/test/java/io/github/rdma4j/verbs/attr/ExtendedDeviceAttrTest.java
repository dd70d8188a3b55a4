// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.uverbs.ExtendedDeviceAttrBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class ExtendedDeviceAttrTest {
    /** The numbers of rxe on Linux 6.12, and made-up ones for what it does not have. */
    @Test
    void decodesTheLongFormOfTheDevice() {
        ByteBuffer in = ByteBuffer.allocate(ExtendedDeviceAttrBytes.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        in.putInt(60, 0x01223c76); // device_cap_flags
        in.putInt(180, 304); // response_length
        in.putLong(184, 3); // general_caps
        in.putInt(192, 0x1f); // rc_odp_caps
        in.putLong(208, -1); // timestamp_mask
        in.putLong(216, 156250); // hca_core_clock
        in.putLong(224, 0x1c0_0122_3c76L); // device_cap_flags_ex
        in.putInt(236, 4); // max_rwq_indirection_tables
        in.putInt(260, 127); // max_num_tags
        in.putShort(280, (short) 0xffff); // max_cq_moderation_count
        in.putShort(282, (short) 0xfff); // max_cq_moderation_period
        in.putLong(288, 131072); // max_dm_size
        in.putInt(296, 8); // xrc_odp_caps
        DeviceAttr.Extended device = ExtendedDeviceAttrBytes.decode(in, 0);
        assertThat(device.basic().deviceCapFlags()).isEqualTo(0x01223c76);
        assertThat(device.odp()).isEqualTo(new DeviceAttr.OnDemandPaging(3, 0x1f, 0, 0, 8));
        assertThat(device.odp().isSupported()).isTrue();
        assertThat(device.odp().isImplicitSupported()).isTrue();
        assertThat(device.timestampMask()).isEqualTo(-1);
        assertThat(device.hcaCoreClock()).isEqualTo(156250);
        assertThat(device.capabilities())
                .contains(
                        DeviceAttr.Capability.ATOMIC_WRITE,
                        DeviceAttr.Capability.FLUSH_GLOBAL,
                        DeviceAttr.Capability.MEM_WINDOW)
                .doesNotContain(DeviceAttr.Capability.XRC);
        assertThat(device.rss().maxTables()).isEqualTo(4);
        assertThat(device.tagMatching().maxNumTags()).isEqualTo(127);
        assertThat(device.maxCqModerationCount()).isEqualTo(0xffff);
        assertThat(device.maxCqModerationPeriod()).isEqualTo(0xfff);
        assertThat(device.maxDmSize()).isEqualTo(131072);
    }
}
