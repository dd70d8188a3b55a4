// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.netty.NettyMemory;
import io.github.rdma4j.netty.RegisteredByteBufAllocator;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.dispatch.AsyncQueuePair;
import io.github.rdma4j.verbs.dispatch.AsyncReceiveQueue;
import io.github.rdma4j.verbs.dispatch.CompletionDispatcher;
import io.github.rdma4j.verbs.dispatch.DispatcherOptions;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The objects of the pooled echo server on one device. For the loop's thread. */
final class EchoPool {
    /** Receives that all connections share: fewer than the peers of a flood may send at a time. */
    private static final int RECEIVES = 64;

    private static final int COMPLETIONS = RECEIVES + 160 * EchoEnd.WINDOW;

    /** All receives fit into a chunk, so the number of regions stays the same. */
    private static final int CHUNK_BYTES = 1 << 20;

    private static final int SETTLING_SECONDS = 30;

    private final CmEventLoop loop;
    private final ProtectionDomain pd;
    private final Violations violations;
    private final CompletionDispatcher dispatcher;
    private final RegisteredByteBufAllocator buffers;
    private final Map<Integer, Echo> connections = new HashMap<>();
    private @Nullable Shared shared;

    private EchoPool(
            CmEventLoop loop,
            ProtectionDomain pd,
            Violations violations,
            CompletionDispatcher dispatcher,
            RegisteredByteBufAllocator buffers) {
        this.loop = loop;
        this.pd = pd;
        this.violations = violations;
        this.dispatcher = dispatcher;
        this.buffers = buffers;
    }

    static EchoPool open(CmEventLoop loop, CmId id, Violations violations) throws RdmaException {
        CompletionDispatcher dispatcher = CompletionDispatcher.open(
                id.context(),
                DispatcherOptions.builder()
                        .completions(COMPLETIONS)
                        .handlersOn(loop, loop::isLoopThread)
                        .build());
        RegisteredByteBufAllocator buffers =
                RegisteredByteBufAllocator.open(id.pd(), EnumSet.of(Access.LOCAL_WRITE), CHUNK_BYTES, 2 * CHUNK_BYTES);
        return new EchoPool(loop, id.pd(), violations, dispatcher, buffers);
    }

    /** True if the device was removed; closes the pool then. */
    boolean isOver() {
        if (!dispatcher.isClosed() && !pd.isClosed()) {
            return false;
        }
        // Its last handlers run on this thread.
        var unused = CompletableFuture.runAsync(dispatcher::close);
        buffers.close();
        return true;
    }

    QueuePairOptions queuePair() throws RdmaException {
        return QueuePairOptions.builder()
                .cq(dispatcher.completionQueue())
                .maxSendWr(EchoEnd.WINDOW)
                .srq(shared().receives.sharedReceiveQueue())
                .build();
    }

    private Shared shared() throws RdmaException {
        Shared open = shared;
        if (open == null) {
            open = new Shared();
            open.postAll();
            shared = open;
        }
        return open;
    }

    /** Before the peer may send. */
    void join(CmConnection connection) throws RdmaException {
        Echo echo = new Echo(connection, dispatcher.attach(connection.qp()), shared().posted);
        connections.put(connection.qp().qpn(), echo);
        connection.own(() -> loop.execute(() -> leave(connection.qp().qpn(), echo)));
        echo.closeWhenIdle(later());
    }

    private Executor later() {
        return CompletableFuture.delayedExecutor(Echo.IDLE_SECONDS, TimeUnit.SECONDS, loop);
    }

    /** With the last connection its receives go as well: those that queue pairs had taken complete now. */
    private void leave(int qpn, Echo echo) {
        connections.remove(qpn, echo);
        Shared open = shared;
        if (open != null && connections.isEmpty()) {
            shared = null;
            open.close();
        }
    }

    /** The receives of a period in which there is always a connection. */
    private final class Shared {
        private final ReceiveWorkRequest request = new ReceiveWorkRequest(1);
        private final Ledger posted = new Ledger("pooled echo", violations);
        private final AsyncReceiveQueue receives;
        private boolean closed;

        Shared() throws RdmaException {
            SharedReceiveQueue srq = pd.createSrq(
                    SharedReceiveQueueOptions.builder().maxReceiveWr(RECEIVES).build());
            try {
                receives = dispatcher.attach(srq);
            } catch (RuntimeException | Error e) {
                srq.close();
                throw e;
            }
        }

        void postAll() throws RdmaException {
            try {
                for (int i = 0; i < RECEIVES; i++) {
                    ByteBuf buffer = buffers.directBuffer(EchoMessage.MAX, EchoMessage.MAX);
                    try {
                        post(buffer);
                    } finally {
                        buffer.release();
                    }
                }
            } catch (RdmaException | RuntimeException | Error e) {
                close();
                throw e;
            }
        }

        /** Retains the buffer. */
        private void post(ByteBuf buffer) throws RdmaException {
            long number = posted.posting();
            try {
                receives.receive(
                        NettyMemory.add(request.clear(), buffer.clear()),
                        completion -> take(number, completion, buffer));
            } catch (RdmaException | RuntimeException | Error e) {
                posted.refused(number);
                throw e;
            }
        }

        private void take(long number, WorkCompletion completion, ByteBuf buffer) throws RdmaException {
            posted.completed(number);
            Echo echo = connections.get(completion.qpNumber());
            if (completion.isSuccess() && echo != null) {
                buffer.writerIndex(completion.byteLength());
                echo.answer(buffer, () -> postAgain(buffer));
            } else {
                postAgain(buffer);
            }
        }

        /** The dispatcher holds the buffer while a handler runs. */
        private void postAgain(ByteBuf buffer) {
            if (closed) {
                return;
            }
            try {
                post(buffer);
            } catch (RdmaException | IllegalStateException e) {
                Log.say("pooled echo: a receive is not posted again: ", e);
            }
        }

        void close() {
            closed = true;
            try {
                receives.sharedReceiveQueue().close();
            } catch (RdmaException e) {
                Log.say("pooled echo: closing the receives: ", e);
            }
            CompletableFuture.delayedExecutor(SETTLING_SECONDS, TimeUnit.SECONDS, loop)
                    .execute(() -> posted.close());
        }
    }

    /** A connection of the pooled echo server. For the loop's thread. */
    static final class Echo {
        static final int IDLE_SECONDS = 10;

        private final CmConnection connection;
        private final AsyncQueuePair qp;
        private final Ledger posted;
        private final SendWorkRequest request = new SendWorkRequest(1);
        private long messages;

        Echo(CmConnection connection, AsyncQueuePair qp, Ledger posted) {
            this.connection = connection;
            this.qp = qp;
            this.posted = posted;
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
        void answer(ByteBuf buffer, Runnable free) {
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
                send(buffer, free);
            }
        }

        private void send(ByteBuf buffer, Runnable free) {
            long number = posted.posting();
            boolean accepted = false;
            try {
                accepted = qp.trySend(NettyMemory.add(request.clear().send(), buffer), completion -> {
                    posted.completed(number);
                    free.run();
                });
            } catch (RdmaException | IllegalStateException e) {
                Log.say("pooled echo: an echo is not sent: ", e);
            }
            if (!accepted) {
                posted.refused(number);
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
}
