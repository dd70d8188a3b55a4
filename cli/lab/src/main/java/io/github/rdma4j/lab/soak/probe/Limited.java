// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.probe;

import io.github.rdma4j.lab.soak.node.SoakFailureException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** A call in a separate thread that must end in time: a client that hangs is a defect, even if it would end later. */
public final class Limited<T> {
    private static final int OWN_FRAMES = 8;

    private final String what;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final Thread thread;

    private Limited(String what, Callable<T> call) {
        this.what = what;
        thread = new Thread(() -> run(call), what);
        thread.setDaemon(true);
    }

    /** Starts the call. */
    public static <T> Limited<T> start(String what, Callable<T> call) {
        Limited<T> limited = new Limited<>(what, call);
        limited.thread.start();
        return limited;
    }

    private void run(Callable<T> call) {
        try {
            result.complete(call.call());
        } catch (Throwable failure) { // handed to who waits
            result.completeExceptionally(failure);
        }
    }

    /** True when the call has returned or failed. */
    public boolean isDone() {
        return result.isDone();
    }

    /** Interrupts the call. */
    public void interrupt() {
        thread.interrupt();
    }

    /**
     * Waits for the call.
     *
     * @throws ExecutionException if the call failed; the cause is the call's exception
     * @throws SoakFailureException when it hangs
     */
    public T await(Duration limit) throws ExecutionException, SoakFailureException, InterruptedException {
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
