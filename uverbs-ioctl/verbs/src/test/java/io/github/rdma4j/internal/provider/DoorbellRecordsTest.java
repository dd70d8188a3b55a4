// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DoorbellRecordsTest {
    private static final int BYTES = 64;
    private static final int PER_PAGE = 4096 / BYTES;

    private final StubDevice device = new StubDevice();
    private final DoorbellRecords records = new DoorbellRecords(device);

    @Test
    void givesEveryQueueARecordOfItsOwn() throws Exception {
        Set<DoorbellRecords.Slot> taken = new HashSet<>();
        for (int i = 0; i <= PER_PAGE; i++) {
            assertThat(taken.add(records.take())).isTrue();
        }
        assertThat(device.live()).as("pages").isEqualTo(2);
    }

    @Test
    void usesARecordAgainOnlyWhenItsQueueIsGone() throws Exception {
        for (int i = 1; i < PER_PAGE; i++) {
            records.take();
        }
        DoorbellRecords.Slot last = records.take();
        last.page().buffer().putInt(last.offset(), 5);
        records.release(last, true);
        DoorbellRecords.Slot again = records.take();
        assertThat(again).isEqualTo(last);
        assertThat(again.page().buffer().getInt(again.offset())).isZero();
        records.release(again, false);
        assertThat(records.take()).as("the kernel may still have the queue").isNotEqualTo(last);
    }

    @Test
    void retiresItsPages() throws Exception {
        records.take();
        records.retire();
        assertThat(device.live()).isZero();
    }
}
