// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import io.github.rdma4j.testbed.host.TestbedException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A running machine, with its console and the four streams between the guest and the launcher. */
public final class GuestMachine implements AutoCloseable {
    private final MachineProcess process;
    private final Ports ports;

    /** The stream of {@code agent.pl}'s protocol. */
    private final InputStream control;

    private GuestMachine(MachineProcess process, Ports ports) {
        this.process = process;
        this.ports = ports;
        control = new BufferedInputStream(Channels.newInputStream(ports.channels.get(0)));
    }

    /**
     * Starts a process and waits until it has connected to the sockets of the ports.
     *
     * @param program the name of the program in messages
     * @throws GuestFailureException if the process ended before
     */
    public static GuestMachine start(String program, ProcessBuilder builder, Ports ports)
            throws TestbedException, InterruptedException {
        @Nullable MachineProcess process = null;
        boolean connected = false;
        try {
            process = MachineProcess.start(program, builder, () -> quietly(ports::stopListening));
            ports.accept();
            process.reached("ports");
            connected = true;
            return new GuestMachine(process, ports);
        } catch (IOException e) {
            MachineProcess ended = Objects.requireNonNull(process);
            ended.kill();
            String end = ended.end(program, ended.await());
            GuestFailure failure = ended.console().panicked() ? GuestFailure.PANIC : GuestFailure.START;
            throw new GuestFailureException(failure, end, ended.console().tail());
        } finally {
            if (!connected) {
                close(process, ports);
            }
        }
    }

    private static void quietly(Closeable closing) {
        try {
            closing.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The process of the machine. */
    public MachineProcess process() {
        return process;
    }

    /** Returns the guest's next line, or null when the guest has ended. One thread reads at a time. */
    public @Nullable String readLine() {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try {
            for (int next = control.read(); next >= 0; next = control.read()) {
                if (next == '\n') {
                    return line.toString(StandardCharsets.UTF_8);
                }
                line.write(next);
            }
            return null;
        } catch (IOException e) {
            // A guest that ends closes or resets the connection.
            return null;
        }
    }

    /** Returns this number of bytes after the last line, or null when the guest has ended. */
    public byte @Nullable [] readBytes(int count) {
        try {
            byte[] bytes = control.readNBytes(count);
            return bytes.length == count ? bytes : null;
        } catch (IOException e) {
            return null;
        }
    }

    /** Sends a message of the protocol to the guest. Any thread may send. */
    public synchronized void send(byte[] message) {
        ByteBuffer buffer = ByteBuffer.wrap(message);
        try {
            while (buffer.hasRemaining()) {
                ports.channels.get(0).write(buffer);
            }
        } catch (IOException e) {
            // The guest has ended; the thread that waits for it learns so from the reading side.
            return;
        }
    }

    /** A standard stream of the command, 0 to 2. */
    public SocketChannel stream(int descriptor) {
        return ports.channels.get(descriptor + 1);
    }

    @Override
    public void close() {
        close(process, ports);
    }

    private static void close(@Nullable MachineProcess process, Ports ports) {
        try {
            if (process != null) {
                process.kill();
                process.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            quietly(ports::close);
        }
    }

    /** The host's ends of the guest's virtio-serial ports, with a socket for each port. */
    public static final class Ports implements AutoCloseable {
        /** In the order of the guest's port numbers, from 1. */
        public static final List<String> NAMES = List.of("control", "stdin", "stdout", "stderr");

        private final List<ServerSocketChannel> servers = new ArrayList<>();
        private final List<SocketChannel> channels = new ArrayList<>();

        /** Listens on a socket for each port in a directory. Replaces existing sockets. */
        public Ports(Path run) throws IOException {
            try {
                for (String name : NAMES) {
                    Files.deleteIfExists(run.resolve(name));
                    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                    servers.add(server);
                    server.bind(UnixDomainSocketAddress.of(run.resolve(name)));
                }
            } catch (IOException | RuntimeException | Error e) {
                stopListening();
                throw e;
            }
        }

        /**
         * Waits until QEMU has connected; {@link #stopListening} from another thread ends the wait with an exception.
         */
        public void accept() throws IOException {
            for (ServerSocketChannel server : servers) {
                channels.add(server.accept());
            }
            stopListening();
        }

        public void stopListening() throws IOException {
            for (ServerSocketChannel server : servers) {
                server.close();
            }
        }

        @Override
        public void close() throws IOException {
            stopListening();
            for (SocketChannel channel : channels) {
                channel.close();
            }
        }
    }
}
