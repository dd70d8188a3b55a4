// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import io.github.rdma4j.testbed.host.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A command of a server. Thread-safe. Each wait ends when the command ends, when the server's guest ends, or when the
 * thread is interrupted.
 */
public final class ExecChannel {
    private static final int SIGNAL_STATUS_BASE = 128;

    private final int number;
    private final Frame.Queue queue;
    private final ChannelStreams state = new ChannelStreams();
    private final ChannelStreams.Input input;
    private final ChannelStreams.Output output;
    private final ChannelStreams.Output error;
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();

    /**
     * The future of all callers, under the lock; a future for each call would stay with {@code exit} until the command
     * ends.
     */
    private @Nullable CompletableFuture<Integer> handedOut;

    private long pid;

    ExecChannel(int number, Frame.Queue queue) {
        this.number = number;
        this.queue = queue;
        input = new ChannelStreams.Input(state, number, queue);
        output = output(1);
        error = output(2);
    }

    private ChannelStreams.Output output(int stream) {
        return new ChannelStreams.Output(
                state,
                bytes -> queue.add(Frame.of(
                        'w',
                        number,
                        ByteBuffer.allocate(5).put((byte) stream).putInt(bytes).array())),
                () -> queue.add(Frame.of('k', number, new byte[] {(byte) stream})));
    }

    /** Takes a frame of this channel; returns whether the frame was the last. */
    boolean frame(char type, byte[] bytes) {
        switch (type) {
            case 'b' -> state.change(() -> pid = Long.parseLong(text(bytes)));
            case 'o' -> output.deliver(bytes);
            case 'e' -> error.deliver(bytes);
            case 'w' -> input.grant(ByteBuffer.wrap(bytes).getInt());
            case 'k' -> input.noReader();
            default -> ended(text(bytes).split(" ", -1));
        }
        return exit.isDone() && output.ended() && error.ended();
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    // x STATUS SIGNAL
    private void ended(String[] words) {
        int signal = Integer.parseInt(words[words.length - 1]);
        int status = signal == 0 ? Integer.parseInt(words[0]) : SIGNAL_STATUS_BASE + signal;
        input.noReader();
        exit.complete(status);
        // Wakes the threads that wait for it.
        state.change(() -> {});
    }

    void fail(Supplier<IOException> cause) {
        state.fail(cause);
        exit.completeExceptionally(cause.get());
    }

    /** Waits until the server has started the command; returns the process id. */
    public long pid() throws IOException {
        state.lock.lock();
        try {
            state.await(() -> pid != 0 || exit.isDone());
            if (pid == 0 && !exit.isDone()) {
                state.check();
            }
            return pid;
        } finally {
            state.lock.unlock();
        }
    }

    /** The command's standard input. */
    public OutputStream input() {
        return input;
    }

    /** The command's standard output. */
    public InputStream output() {
        return output;
    }

    /** The command's standard error. */
    public InputStream error() {
        return error;
    }

    /** From now on keeps all output in memory, so that the command never waits for a reader. */
    public void keepAllOutput() {
        output.unlimit();
        error.unlimit();
    }

    /** The unread standard output so far; does not wait. */
    public byte[] outputSoFar() {
        return output.takeAll();
    }

    /** As {@link #outputSoFar} of the standard error. */
    public byte[] errorSoFar() {
        return error.takeAll();
    }

    /**
     * Completes with the status as a shell reports it, or exceptionally if the server ends first. Dependent stages run
     * in the common pool and can wait; the thread that reads from the server must not wait. All callers get the same
     * future, unless a caller has completed it before the command's end.
     */
    public CompletableFuture<Integer> exit() {
        state.lock.lock();
        try {
            if (exit.isDone()) {
                return exit.copy();
            }
            if (handedOut == null || handedOut.isDone()) {
                handedOut = exit.thenApplyAsync(Function.identity());
            }
            return handedOut;
        } finally {
            state.lock.unlock();
        }
    }

    /** Whether the command or the server has ended. */
    public boolean hasEnded() {
        return exit.isDone();
    }

    /** Waits for the end of the command within the deadline; returns whether the command has ended. */
    public boolean awaitExit(Deadline deadline) throws IOException, InterruptedException {
        if (state.await(exit::isDone, deadline.remainingNanos()) && !exit.isCompletedExceptionally()) {
            return true;
        }
        state.check();
        return false;
    }

    /** The status of a command that has ended. */
    public int status() throws IOException {
        if (exit.isCompletedExceptionally()) {
            state.check();
        }
        return exit.join();
    }

    /** Sends a signal to the command's process, or to its process group; does nothing after the command's end. */
    public void signal(int signal, boolean toGroup) {
        String text = signal + (toGroup ? " group" : " process");
        queue.add(Frame.of('s', number, text.getBytes(StandardCharsets.US_ASCII)));
    }
}
