// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import io.github.rdma4j.internal.provider.DriverExchange.DriverRequest;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;

/**
 * The driver's part in the creation of an object: it is prepared, the command is sent, and it is finished or abandoned.
 *
 * <p>The memory that the command names is allocated before the command. If {@link #finish} returns, its result owns
 * everything that was prepared. If the command or {@code finish} fails, {@link #abandon} ends the creation. Used by one
 * thread.
 *
 * @param <G> the kernel's reply
 * @param <R> the result, for the verbs
 */
public interface Creation<G, R> extends DriverExchange {
    /** Called after the command has succeeded. */
    R finish(G granted) throws RdmaException;

    /**
     * Releases what was prepared. Must not throw. Called once.
     *
     * @param destroyed true if the kernel has no such object: it never created the object, or has destroyed it. False
     *     if the kernel may still have the object: the device may then still use memory shared with other queues, such
     *     as a doorbell record, which must never be reused. The queue's own memory may be retired in both cases.
     */
    void abandon(boolean destroyed);

    /** The step after the command. */
    @FunctionalInterface
    interface Finish<G, R> {
        /** See {@link Creation#finish}; if it throws, it must release everything that it took itself. */
        R finish(G granted) throws RdmaException;
    }

    /** The step in place of {@link Finish}. */
    @FunctionalInterface
    interface Abandon {
        /** See {@link Creation#abandon}. */
        void abandon(boolean destroyed);
    }

    /** A creation that prepares nothing and sends no request, for a driver whose kernel creates the rings. */
    static <G, R> Creation<G, R> of(int replyBytes, Finish<? super G, ? extends R> finish) {
        return of(DriverExchange.of(0, replyBytes), finish);
    }

    /** A creation that prepares nothing. */
    static <G, R> Creation<G, R> of(DriverExchange exchange, Finish<? super G, ? extends R> finish) {
        return of(exchange, finish, destroyed -> {});
    }

    /** A creation whose preparation {@code abandon} releases, also if {@code finish} fails. */
    static <G, R> Creation<G, R> of(DriverExchange exchange, Finish<? super G, ? extends R> finish, Abandon abandon) {
        return new Creation<>() {
            @Override
            public int requestBytes() {
                return exchange.requestBytes();
            }

            @Override
            public void writeRequest(DriverRequest request) {
                exchange.writeRequest(request);
            }

            @Override
            public int replyBytes() {
                return exchange.replyBytes();
            }

            @Override
            public R finish(G granted) throws RdmaException {
                return finish.finish(granted);
            }

            @Override
            public void abandon(boolean destroyed) {
                abandon.abandon(destroyed);
            }
        };
    }

    /** Rejects a reply that grants another size than that of the ring. */
    static void requireGranted(String what, int granted, int size) throws MalformedReplyException {
        if (granted != size) {
            throw new MalformedReplyException(what + " " + granted, 0, Integer.BYTES);
        }
    }
}
