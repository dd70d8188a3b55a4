// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.dispatch.ModelDispatcherBed;
import io.netty.buffer.ByteBuf;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** How long a dispatcher holds the buffers of what was posted to a queue pair that is closed. */
class DispatchedBuffersTest extends ModelDispatcherBed {
    @Test
    void keepsTheMemoryOfAQueuePairThatTheKernelDidNotDestroy() throws Exception {
        openAndAttach();
        RegisteredByteBufAllocator alloc = RegisteredByteBufAllocator.open(pd, EnumSet.of(Access.LOCAL_WRITE));
        ByteBuf posted = alloc.directBuffer(64, 64);
        long address = posted.memoryAddress();
        CompletableFuture<WorkCompletion> flushed =
                qp.receive(NettyMemory.add(new ReceiveWorkRequest(1), posted, 0, 64));
        posted.release();
        kernel.refuse(WriteCommands.IB_USER_VERBS_CMD_DESTROY_QP, new Errno(16));
        assertThatThrownBy(made::close).hasMessageContaining("EBUSY");
        assertThatThrownBy(() -> get(flushed)).hasMessageContaining("WR_FLUSH_ERR");
        CountDownLatch after = new CountDownLatch(1);
        qp.whenSendable(after::countDown);
        await(after);
        assertThat(posted.refCnt()).isPositive();
        ByteBuf other = alloc.directBuffer(64, 64);
        assertThat(other.memoryAddress()).isNotEqualTo(address);
        other.release();
        kernel.allow(WriteCommands.IB_USER_VERBS_CMD_DESTROY_QP);
        assertThatThrownBy(context::close).as("the queue pair is still there").hasMessageContaining("EBUSY");
    }

    @Test
    void whatIsPostedToAQueuePairThatWasClosedHoldsItsMemoryUntilTheHandlerHasReturned() throws Exception {
        openAndAttach();
        RegisteredByteBufAllocator alloc = RegisteredByteBufAllocator.open(pd, EnumSet.of(Access.LOCAL_WRITE));
        ByteBuf posted = alloc.directBuffer(64, 64);
        CompletableFuture<Integer> counted = new CompletableFuture<>();
        qp.send(send(1), completion -> {
            made.close();
            qp.receive(NettyMemory.add(new ReceiveWorkRequest(1), posted), second -> counted.complete(posted.refCnt()));
            posted.release();
        });
        complete();
        assertThat(get(counted))
                .as("1, or 2 if Netty samples the buffer for its leak detector")
                .isPositive();
        dispatcher.close();
        assertThat(posted.refCnt()).isZero();
        assertThat(uncaught).isEmpty();
    }
}
