// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Pvrdma;
import io.github.rdma4j.it.support.PvrdmaEnd;
import io.github.rdma4j.it.support.RequiresPvrdma;
import io.github.rdma4j.providers.RawConnection;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.NewSeed;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two senders, and two queue pairs that take their receives from one queue, on QEMU's device. */
@RequiresPvrdma
@Nightly
class SharedReceiveQueuePvrdmaIT {
    private static final int MESSAGES = 100;
    private static final int SLOT = 1024;
    private static final int DEPTH = 4;

    private final ByteBuffer buffer = Pvrdma.pages(DEPTH * SLOT);
    private final WorkCompletion[] one = WorkCompletion.array(1);
    private DeviceContext context;
    private SharedReceiveQueue srq;
    private CompletionQueue cq;
    private MemoryRegion region;
    private final PvrdmaEnd[] senders = new PvrdmaEnd[2];
    private final QueuePair[] receivers = new QueuePair[2];

    @BeforeEach
    void open() throws Exception {
        context = Pvrdma.open();
        ProtectionDomain pd = context.allocatePd();
        cq = context.createCq(16);
        srq = pd.createSrq(
                SharedReceiveQueueOptions.builder().maxReceiveWr(DEPTH).build());
        region = pd.registerMr(buffer, EnumSet.of(Access.LOCAL_WRITE));
        for (int i = 0; i < senders.length; i++) {
            senders[i] = PvrdmaEnd.reliable(context);
            receivers[i] =
                    pd.createQp(QueuePairOptions.builder().cq(cq).srq(srq).build());
            RawConnection.connect(senders[i].qp(), receivers[i], Pvrdma.way(context));
            byte[] bytes = new byte[senders[i].buffer().capacity()];
            new Random(i).nextBytes(bytes);
            senders[i].buffer().put(0, bytes);
        }
    }

    @AfterEach
    void close() throws Exception {
        context.close();
    }

    private void receive(int slot) throws Exception {
        srq.postReceive(new ReceiveWorkRequest(1).wrId(slot).add(region, (long) slot * SLOT, SLOT));
    }

    @Test
    void givesTheOldestReceiveToWhoeverAsks() throws Exception {
        for (int slot = 0; slot < DEPTH; slot++) {
            receive(slot);
        }
        Random random = new Random(NewSeed.of("SharedReceiveQueuePvrdmaIT"));
        for (int i = 0; i < MESSAGES; i++) {
            int from = random.nextInt(2);
            int length = random.nextInt(SLOT);
            senders[from].send(i, i, length);
            Await.until("a completion", () -> cq.poll(one) == 1);
            assertThat(one[0].isSuccess()).isTrue();
            assertThat(one[0].wrId()).isEqualTo(i % DEPTH);
            assertThat(one[0].qpNumber()).isEqualTo(receivers[from].qpn());
            assertThat(one[0].byteLength()).isEqualTo(length);
            assertThat(buffer.slice((i % DEPTH) * SLOT, length))
                    .isEqualTo(senders[from].buffer().slice(i, length));
            assertThat(senders[from].success().wrId()).isEqualTo(i);
            receive(i % DEPTH);
        }
    }

    @Test
    void isFullWhenItHoldsAsMuchAsItSays() throws Exception {
        assertThat(srq.capacity()).isEqualTo(DEPTH);
        assertThat(receivers[0].capacities().maxReceiveWr()).isZero();
        srq.close();
        SharedReceiveQueue idle = context.allocatePd()
                .createSrq(SharedReceiveQueueOptions.builder().maxReceiveWr(5).build());
        assertThat(idle.capacity()).as("the device has room for 8").isEqualTo(5);
        idle.close();
        assertThatThrownBy(() -> receive(0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesWhatDoesNotFit() throws Exception {
        int posted = 0;
        while (posted < 4 * DEPTH && srq.tryPostReceive(new ReceiveWorkRequest(1).add(region, 0, SLOT))) {
            posted++;
        }
        // The device takes receives out of the ring as soon as it is told of them.
        assertThat(posted).isEqualTo(4 * DEPTH);
        assertThatThrownBy(() -> srq.postReceive(
                        new ReceiveWorkRequest(2).add(region, 0, 1).add(region, 1, 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
