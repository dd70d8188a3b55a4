// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.libc;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Loads native code in a separate thread, which is never interrupted. JNR unpacks its library through a channel, which
 * an interrupt closes: if an interrupted thread loaded the library, it would be unusable for the life of the JVM.
 */
public final class OwnThread {
    private OwnThread() {}

    /** Returns or throws the outcome of {@code loading}; an interrupt of the calling thread stays pending. */
    public static <T> T call(Supplier<T> loading) {
        CompletableFuture<T> loaded = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        loaded.complete(loading.get());
                    } catch (Throwable failure) {
                        loaded.completeExceptionally(failure);
                    }
                },
                "rdma4j-loading");
        thread.setDaemon(true);
        thread.start();
        try {
            return loaded.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }
}
