// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty;

import io.github.rdma4j.internal.netty.wire.Hello;
import io.github.rdma4j.internal.rsocket.LinkQueues;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.netty.NettyMemory;
import io.netty.buffer.ByteBuf;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The receives of one connection, for a device without shared ones. Not safe for use by several threads. */
final class OwnReceives implements Receives {
    private final LinkQueues queues;
    private final int bytes;
    private final @Nullable ByteBuf[] buffers;

    private OwnReceives(LinkQueues queues, Hello own) {
        this.queues = queues;
        bytes = own.receiveBytes();
        buffers = new @Nullable ByteBuf[own.receives()];
    }

    static OwnReceives take(PoolMemory memory, LinkQueues queues, Hello own) throws RdmaException {
        OwnReceives taken = new OwnReceives(queues, own);
        try {
            for (int i = 0; i < taken.buffers.length; i++) {
                taken.buffers[i] = memory.take(taken.bytes);
            }
            return taken;
        } catch (RdmaException | RuntimeException | Error e) {
            taken.release();
            throw e;
        }
    }

    void postAll() throws RdmaException {
        for (int i = 0; i < buffers.length; i++) {
            repost(i);
        }
        queues.flushReceives();
    }

    @Override
    public ByteBuf came(int slot) {
        return Objects.requireNonNull(buffers[slot], "the buffers of the connection are released");
    }

    @Override
    public @Nullable ByteBuf moveOut(int slot, int length) {
        return null;
    }

    @Override
    public void repost(int slot) throws RdmaException {
        NettyMemory.add(queues.nextReceive(slot), came(slot), 0, bytes);
    }

    @Override
    public ByteBuf exchange(int slot, ByteBuf fresh) {
        ByteBuf full = came(slot);
        buffers[slot] = fresh;
        return full;
    }

    void release() {
        for (int i = 0; i < buffers.length; i++) {
            ByteBuf buffer = buffers[i];
            buffers[i] = null;
            if (buffer != null) {
                buffer.release();
            }
        }
    }
}
