// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.rcopy;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.rsocket.RsocketOptions;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rdma4j rcopy}. */
@Command(
        name = "rcopy",
        description = "Copy a file to a server. Compatible with rcopy(1).",
        footer = {
            "",
            "Without SOURCE the program is the server, until it is interrupted. The server writes every file that a client"
                    + " names and that its user may write; --directory keeps clients in one directory."
        })
public final class RcopyCommand extends RdmaCommand {
    private static final int PORT = 7427;
    private static final int MAX_SECONDS = 1_000_000;

    @Parameters(index = "0", arity = "0..1", paramLabel = "SOURCE", description = "The file to copy.")
    private @Nullable Path source;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "SERVER[:DESTINATION]",
            description = "The server, with the name that the file gets there; the name of SOURCE by default. An IPv6"
                    + " address needs brackets.")
    private @Nullable String target;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "Port of the server, 1 to 65535 (${DEFAULT-VALUE}).")
    private int port = PORT;

    @Option(names = "-b", paramLabel = "ADDR", description = "The local address.")
    private @Nullable String local;

    @Option(names = "--once", description = "As the server: end after the first connection.")
    private boolean once;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description =
                    "As the server: names are relative to DIR, and names outside of DIR are refused. Symbolic links"
                            + " in DIR are followed.")
    private @Nullable Path directory;

    @Option(
            names = "--idle",
            paramLabel = "SECONDS",
            description =
                    "As the server: time after which a connection is closed whose client sends nothing; 0 means no"
                            + " limit (${DEFAULT-VALUE}).")
    private int idle = 300;

    @Override
    public Integer call() throws IOException, InterruptedException {
        requireWithin("-p", port, 1, MAX_PORT);
        requireWithin("--idle", idle, 0, MAX_SECONDS);
        Path file = source;
        if (file == null) {
            return serve();
        }
        require(!once && directory == null, "--once and --directory are options of the server, which has no SOURCE");
        if (target == null) {
            throw wrong("the server is missing; give SERVER or SERVER:DESTINATION after SOURCE");
        }
        return copy(file, target);
    }

    private int copy(Path file, String to) throws IOException, InterruptedException {
        int colon = to.indexOf(':', to.startsWith("[") ? to.indexOf(']') : 0);
        String host = colon < 0 ? to : to.substring(0, colon);
        String destination = colon < 0 ? file.toString() : to.substring(colon + 1);
        require(!host.isEmpty() && !destination.isEmpty(), to + " lacks the server or the destination");
        RsocketOptions.Builder options = RsocketOptions.builder();
        if (local != null) {
            options.source(new InetSocketAddress(Addresses.resolve(local), 0));
        }
        InetSocketAddress server = new InetSocketAddress(Addresses.resolve(host), port);
        try (RsocketChannel channel = RsocketChannel.connect(server, options.build())) {
            RcopyClient.Copied copied = new RcopyClient(new RcopyStream(channel, FOR_EVER)).copy(file, destination);
            double seconds = copied.nanos() / 1e9;
            out().printf(
                            Locale.ROOT,
                            "%d bytes in %.2f seconds = %.2f Gb/sec%n",
                            copied.bytes(),
                            seconds,
                            8 * copied.bytes() / seconds / 1e9);
        }
        return 0;
    }

    private int serve() throws IOException, InterruptedException {
        Path within = directory == null ? null : directory.toAbsolutePath().normalize();
        require(within == null || Files.isDirectory(within), "--directory " + within + " is not a directory");
        try (RsocketListener listener = RsocketListener.listen(Addresses.resolve(local, port))) {
            boolean served;
            do {
                served = serve(listener.accept(), within);
            } while (!once);
            return served ? 0 : 1;
        }
    }

    /** Serves one client; returns false if one of its copies has failed. */
    private boolean serve(RsocketChannel connected, @Nullable Path within) {
        String client = connected.remoteAddress().getAddress().getHostAddress();
        out().println("client " + client);
        try (RsocketChannel channel = connected;
                RcopyServer server = new RcopyServer(new RcopyStream(channel, limit(idle)), within, out())) {
            server.serve();
            return true;
        } catch (IOException failure) {
            err().println("rdma4j: client " + client + ": " + Failures.text(failure));
            return false;
        } finally {
            out().flush();
        }
    }

    /** Sends a file. For one thread. */
    private record RcopyClient(RcopyStream stream) {
        private static final int CHUNK = 1 << 20;

        /**
         * A copied file.
         *
         * @param nanos from the first byte to the server's reply
         */
        record Copied(long bytes, long nanos) {}

        /** Copies {@code source} to the server under the name {@code destination}. */
        Copied copy(Path source, String destination) throws IOException {
            try (FileChannel file = FileChannel.open(source)) {
                open(destination, (int) Files.getAttribute(source, "unix:mode"));
                long bytes = file.size();
                ByteBuffer write = new RcopyMessage(RcopyMessage.WRITE, RcopyMessage.WRITE_BYTES, 0, 0).encode();
                stream.send(write.putLong(bytes).flip());
                long start = System.nanoTime();
                send(file, bytes);
                expectReply(RcopyMessage.WRITE, "write " + destination);
                long nanos = System.nanoTime() - start;
                stream.send(new RcopyMessage(RcopyMessage.CLOSE, RcopyMessage.BYTES, 0, 0));
                expectReply(RcopyMessage.CLOSE, "close " + destination);
                return new Copied(bytes, nanos);
            }
        }

        /** Opens the destination. The name ends with a zero, and the message with a multiple of 8. */
        private void open(String destination, int mode) throws IOException {
            byte[] name = destination.getBytes(StandardCharsets.UTF_8);
            int length = RcopyMessage.BYTES + (name.length + Long.BYTES) / Long.BYTES * Long.BYTES;
            if (length > RcopyMessage.MAX_BYTES) {
                throw new RdmaException("the name of the destination has " + name.length + " bytes; it may have "
                        + (RcopyMessage.MAX_BYTES / Long.BYTES * Long.BYTES - RcopyMessage.BYTES - 1));
            }
            ByteBuffer open = new RcopyMessage(RcopyMessage.OPEN, length, mode, 0).encode();
            stream.send(open.put(name).clear());
            expectReply(RcopyMessage.OPEN, "open " + destination);
        }

        private void send(FileChannel file, long bytes) throws IOException {
            ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK);
            for (long done = 0; done < bytes; done += chunk.limit()) {
                chunk.clear().limit((int) Math.min(CHUNK, bytes - done));
                if (file.read(chunk) < 0) {
                    throw new EOFException(
                            "the file has become shorter while it was copied: " + done + " of " + bytes + " bytes");
                }
                stream.send(chunk.flip());
            }
        }

        private void expectReply(int command, String what) throws IOException {
            @Nullable RcopyMessage reply = stream.next();
            if (reply == null) {
                throw new EOFException("the server has closed the connection when it was to " + what);
            }
            if (reply.command() != (command | RcopyMessage.REPLY) || reply.length() != RcopyMessage.BYTES) {
                throw new RdmaException("the server replied with command " + reply.command() + " of " + reply.length()
                        + " bytes; the reply of rcopy to command " + command + " is " + (command | RcopyMessage.REPLY)
                        + " of " + RcopyMessage.BYTES + " bytes");
            }
            if (reply.data() != 0) {
                throw new RdmaException("the server could not " + what + ": " + new Errno(reply.data()));
            }
        }
    }
}
