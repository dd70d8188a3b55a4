// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.host;

import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.netty.NettyMemory;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.dispatch.AsyncQueuePair;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;

/** A connection of the pooled echo server. For the loop's thread. */
final class PooledEcho {
    static final int IDLE_SECONDS = 10;

    private final CmConnection connection;
    private final AsyncQueuePair qp;
    private final Settling settling;
    private final SendWorkRequest request = new SendWorkRequest(1);
    private long messages;

    PooledEcho(CmConnection connection, AsyncQueuePair qp, Settling settling) {
        this.connection = connection;
        this.qp = qp;
        this.settling = settling;
        var unused = connection.disconnected().whenComplete((event, failure) -> close());
    }

    /** Ends the connection when no message has come between two looks. */
    void closeWhenIdle(Executor later) {
        long before = messages;
        later.execute(() -> {
            if (connection.isClosed()) {
                return;
            }
            if (messages == before) {
                Log.say("pooled echo: nothing has come for " + IDLE_SECONDS + " s");
                close();
            } else {
                closeWhenIdle(later);
            }
        });
    }

    /** Sends the message in {@code buffer} back; {@code free} runs when the buffer is free again. */
    void answer(ByteBuf buffer, Violations violations, Runnable free) {
        messages++;
        ByteBuffer message = buffer.nioBuffer().slice();
        if (EchoMessage.isFarewell(message)) {
            var unused = connection.disconnect();
            free.run();
        } else if (!EchoMessage.isIntact(message)) {
            Log.say("pooled echo: a message of " + message.capacity() + " bytes that is no echo message");
            close();
            free.run();
        } else {
            send(buffer, violations, free);
        }
    }

    private void send(ByteBuf buffer, Violations violations, Runnable free) {
        Settling.Once once = settling.begin("a send");
        boolean posted = false;
        try {
            posted = qp.trySend(NettyMemory.add(request.clear().send(), buffer), completion -> {
                once.completed(violations);
                free.run();
            });
        } catch (RdmaException | IllegalStateException e) {
            Log.say("pooled echo: an echo is not sent: ", e);
        }
        if (!posted) {
            once.refused();
            close();
            free.run();
        }
    }

    private void close() {
        try {
            connection.close();
        } catch (RdmaException e) {
            Log.say("pooled echo: closing: ", e);
        }
    }
}
