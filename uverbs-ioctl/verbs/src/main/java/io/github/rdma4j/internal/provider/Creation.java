// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import io.github.rdma4j.internal.provider.DriverExchange.DriverRequest;
import io.github.rdma4j.kernel.RdmaException;

/**
 * The driver's part in the making of one object: prepared, then the command, then finished or abandoned.
 *
 * <p>The memory that the command names is made before the command. If {@link #finish} returns, its result owns all that
 * was prepared, and the creation is over. If the command or {@code finish} fails, {@link #abandon} ends the creation.
 * Used by one thread.
 *
 * @param <G> the kernel's reply
 * @param <R> the result, for the verbs
 */
public interface Creation<G, R> extends DriverExchange {
    /** The command has succeeded. */
    R finish(G granted) throws RdmaException;

    /**
     * Gives back what was prepared. Must not throw. Called once.
     *
     * @param destroyed true when the kernel has no such object: it never made one, or has destroyed it. False when the
     *     kernel may still have it: then the device may still use memory that other queues share, such as a doorbell
     *     record, which must never be used again. Memory of the queue's own may be retired in both cases.
     */
    void abandon(boolean destroyed);

    /** The step that follows the command, for a {@link Creation} without preparation. */
    @FunctionalInterface
    interface Finish<G, R> {
        /** See {@link Creation#finish}; a {@code finish} that throws must release all that it took. */
        R finish(G granted) throws RdmaException;
    }

    /** A creation that prepares nothing and sends no request, for a driver that makes the rings itself. */
    static <G, R> Creation<G, R> of(int replyBytes, Finish<? super G, ? extends R> finish) {
        return of(DriverExchange.of(0, replyBytes), finish);
    }

    /** A creation that prepares nothing. */
    static <G, R> Creation<G, R> of(DriverExchange exchange, Finish<? super G, ? extends R> finish) {
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
            public void abandon(boolean destroyed) {}
        };
    }
}
