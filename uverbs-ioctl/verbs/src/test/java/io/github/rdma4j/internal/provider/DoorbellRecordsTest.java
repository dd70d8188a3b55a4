// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DoorbellRecordsTest {
    private static final int BYTES = 64;
    private static final int PER_PAGE = 4096 / BYTES;

    private final StubDevice device = new StubDevice();
    private final DoorbellRecords records = new DoorbellRecords(device, BYTES);

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

    /** The kernel has destroyed the queue by then: what fails for want of memory would be lost. */
    @Test
    void takesBackWithoutMemory() throws Exception {
        giveBackAll(new DoorbellRecords(device, BYTES)); // links what the JVM links late

        assertThat(giveBackAll(records)).as("bytes allocated").isZero();
    }

    /** What three pages of records allocate when they are given back. */
    private static long giveBackAll(DoorbellRecords records) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        DoorbellRecords.Slot[] taken = new DoorbellRecords.Slot[3 * PER_PAGE];
        for (int i = 0; i < taken.length; i++) {
            taken[i] = records.take();
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (DoorbellRecords.Slot slot : taken) {
            records.release(slot, true);
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void retiresItsPages() throws Exception {
        records.take();
        records.retire();
        assertThat(device.live()).isZero();
    }
}
