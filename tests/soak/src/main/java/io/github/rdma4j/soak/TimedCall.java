// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** A call in a separate thread that must end in time: a client that hangs is a defect, even if it ends later. */
final class TimedCall<T> {
    private static final int OWN_FRAMES = 8;

    private final String what;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final Thread thread;

    private TimedCall(String what, Callable<T> call) {
        this.what = what;
        thread = new Thread(() -> complete(call), what);
        thread.setDaemon(true);
    }

    /** Starts the call. */
    static <T> TimedCall<T> start(String what, Callable<T> call) {
        TimedCall<T> limited = new TimedCall<>(what, call);
        limited.thread.start();
        return limited;
    }

    /** A call without a result. */
    interface Action {
        void run() throws Exception;
    }

    /** Starts a call without a result. */
    static TimedCall<?> run(String what, Action action) {
        return start(what, () -> {
            action.run();
            return true;
        });
    }

    private void complete(Callable<T> call) {
        try {
            result.complete(call.call());
        } catch (Throwable failure) { // passed to the waiting thread
            result.completeExceptionally(failure);
        }
    }

    /**
     * Waits for the call.
     *
     * @throws ExecutionException if the call failed; the cause is the call's exception
     * @throws SoakFailureException when it hangs
     */
    T await(Duration limit) throws ExecutionException, SoakFailureException, InterruptedException {
        try {
            return result.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new SoakFailureException(
                    what + " hangs: it has not ended within " + limit.toSeconds() + " s, and is in " + ownFrames());
        }
    }

    /** Where the thread is, in methods of this project. */
    private String ownFrames() {
        return Arrays.stream(thread.getStackTrace())
                .filter(frame -> frame.getClassName().startsWith("io.github.rdma4j.")
                        && !frame.getClassName().contains("Lambda"))
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .limit(OWN_FRAMES)
                .collect(Collectors.joining(" < "));
    }
}
