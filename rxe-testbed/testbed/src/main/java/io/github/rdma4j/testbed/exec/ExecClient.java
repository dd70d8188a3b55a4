// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import io.github.rdma4j.testbed.host.Resource;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The client of a server. The code that runs the server copies {@link #toServer} to the server's standard input and the
 * server's standard output to {@link #fromServer}, and calls {@link #fail} when the server has ended. Writing to {@code
 * fromServer} never waits for a reader: the windows of the channels bound the unread bytes.
 */
public final class ExecClient {
    private static final byte[] PROGRAM = Resource.bytes("exec/exec.pl");

    /** Reads the program, and no more, from the standard input: the rest of the input is for the program. */
    private static final String BOOT = "my ($left, $program) = (shift, ''); while ($left) { my $got = sysread(STDIN,"
            + " $program, $left, length $program) or exit 125; $left -= $got } eval $program; die $@ if $@";

    private final Frame.Queue queue = new Frame.Queue();
    private final Frame.Decoder fromServer =
            new Frame.Decoder(this::frame, e -> fail(() -> new IOException(e.getMessage(), e)));
    private final Map<Integer, ExecChannel> channels = new ConcurrentHashMap<>();
    private final AtomicInteger lastChannel = new AtomicInteger();
    private final AtomicReference<@Nullable Supplier<IOException>> failure = new AtomicReference<>();
    private final CompletableFuture<List<String>> hello = new CompletableFuture<>();

    public ExecClient() {
        queue.add(PROGRAM.clone());
    }

    /** The command line of a server. */
    public static List<String> serverCommandLine() {
        return List.of("/usr/bin/perl", "-e", BOOT, String.valueOf(PROGRAM.length));
    }

    /** The bytes for the server's standard input; ends when the client no longer needs the server. */
    public InputStream toServer() {
        return queue;
    }

    /** Takes the server's standard output. Throws an exception if it is not the output of a server. */
    public OutputStream fromServer() {
        return fromServer;
    }

    private void frame(char type, int number, byte[] bytes) throws IOException {
        if (type == 'h') {
            hello.complete(Frame.strings(ByteBuffer.wrap(bytes)));
            return;
        }
        ExecChannel channel = channels.get(number);
        if (channel == null) {
            throw new IOException("the exec server sent a frame for channel " + number + ", which is not open");
        }
        if (channel.frame(type, bytes)) {
            channels.remove(number);
        }
    }

    /**
     * Waits until the server runs; returns the release of its kernel, and the name of its RDMA device or an empty
     * string.
     */
    public List<String> awaitServer() throws IOException, InterruptedException {
        try {
            return hello.get();
        } catch (ExecutionException e) {
            check();
            throw new IOException(e.getCause());
        }
    }

    /**
     * Starts a program; does not wait for the server.
     *
     * @param variables {@code NAME=VALUE} sets a variable of the environment, {@code NAME} removes it; the server's
     *     other variables stay
     */
    public ExecChannel run(Path directory, List<String> arguments, List<String> variables) throws IOException {
        Stream<String> program = Stream.of("run", directory.toString(), String.valueOf(arguments.size()));
        return start(Stream.of(program, arguments.stream(), variables.stream())
                .flatMap(Function.identity())
                .toArray(String[]::new));
    }

    /** Starts work in the words of {@code exec.pl}, such as {@code read PATH}; does not wait for the server. */
    public ExecChannel start(String... work) throws IOException {
        byte[] words = Frame.strings(List.of(work));
        check();
        int number = lastChannel.incrementAndGet();
        ExecChannel channel = new ExecChannel(number, queue);
        channels.put(number, channel);
        queue.add(Frame.of('c', number, words));
        Supplier<IOException> cause = failure.get();
        if (cause != null) {
            channel.fail(cause);
        }
        return channel;
    }

    private void check() throws IOException {
        Supplier<IOException> cause = failure.get();
        if (cause != null) {
            throw cause.get();
        }
    }

    /** Asks the server to end its commands, with TERM and after 2 s with KILL, and then itself. */
    public void quit() {
        queue.add(Frame.of('q', 0, new byte[0]));
    }

    /** Ends every wait, because the server has ended or is no longer needed. The first cause stays. */
    public void fail(Supplier<IOException> cause) {
        if (failure.compareAndSet(null, cause)) {
            hello.completeExceptionally(cause.get());
            channels.values().forEach(channel -> channel.fail(cause));
            queue.close();
        }
    }
}
