// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.End;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.OpenResources;
import io.github.rdma4j.it.support.RunningKernel;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.MappedMemory;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.junit.SoftRoce;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A memory region of more than 2 GiB, all of it pinned: the guest needs more memory than others. Soft-RoCE of Linux 7.2 refuses
 * so large a region with ENOMEM, whatever the memory of the guest; so does User Mode Linux, which is 7.2 as well, and where this
 * test therefore does not run.
 */
@SoftRoce(
        memory = 4096,
        backend = {Backend.VM, Backend.HOST})
@ExtendWith(OpenResources.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Nightly
class LargeRegionKernelIT {
    private static final long TWO_GIB = 1L << 31;
    private static final long LENGTH = TWO_GIB + (16 << 20);
    private static final int BYTES = 4096;

    /** Where an offset that was cut off to 31 or 32 bits, or to a mapping's window of 1 GiB, would be in the region as well. */
    private static final long FAR = TWO_GIB + 5 * BYTES + 3;

    @Test
    void movesBytesBeyond2GiB() throws Exception {
        if (RunningKernel.isAtLeast(7, 2)) {
            assertThatThrownBy(this::move)
                    .isInstanceOfSatisfying(
                            ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
        } else {
            move();
        }
    }

    private void move() throws Exception {
        try (Loopback ends = Loopback.connected();
                MappedMemory memory = MappedMemory.allocate(LENGTH);
                MemoryRegion region = ends.server()
                        .pd()
                        .registerMr(memory, EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ))) {
            assertThat(region.length()).isEqualTo(LENGTH);
            writtenByThePeer(ends, memory, region, FAR);
            writtenByThePeer(ends, memory, region, LENGTH - BYTES);
            sent(ends, memory, region);
            received(ends, memory, region);
            assertThat(memory.slice(FAR - TWO_GIB, BYTES)).isEqualTo(ByteBuffer.allocate(BYTES));
            assertThat(memory.slice(FAR - (1L << 30), BYTES)).isEqualTo(ByteBuffer.allocate(BYTES));
        }
    }

    private static byte[] fill(ByteBuffer buffer, long seed) {
        byte[] bytes = new byte[BYTES];
        new Random(seed).nextBytes(bytes);
        buffer.put(0, bytes);
        return bytes;
    }

    private static void writtenByThePeer(Loopback ends, MappedMemory memory, MemoryRegion region, long offset)
            throws Exception {
        End client = ends.client();
        byte[] bytes = fill(client.buffer(), offset);
        client.qp()
                .postSend(new SendWorkRequest(1)
                        .rdmaWrite(region.iova() + offset, region.rkey())
                        .add(client.region(), 0, BYTES)
                        .signaled());
        client.success();
        assertThat(memory.slice(offset, BYTES)).isEqualTo(ByteBuffer.wrap(bytes));
    }

    private static void sent(Loopback ends, MappedMemory memory, MemoryRegion region) throws Exception {
        byte[] bytes = fill(memory.slice(FAR + 7, BYTES), 1);
        ends.client().receive(1, BYTES);
        ends.server()
                .qp()
                .postSend(new SendWorkRequest(1)
                        .send()
                        .add(region, FAR + 7, BYTES)
                        .signaled());
        ends.server().success();
        ends.client().success();
        assertThat(ends.client().buffer().slice(0, BYTES)).isEqualTo(ByteBuffer.wrap(bytes));
    }

    private static void received(Loopback ends, MappedMemory memory, MemoryRegion region) throws Exception {
        byte[] bytes = fill(ends.client().buffer(), 2);
        ends.server().qp().postReceive(new ReceiveWorkRequest(1).add(region, FAR + BYTES, BYTES));
        ends.client().send(1, BYTES);
        ends.client().success();
        ends.server().success();
        assertThat(memory.slice(FAR + BYTES, BYTES)).isEqualTo(ByteBuffer.wrap(bytes));
    }
}
