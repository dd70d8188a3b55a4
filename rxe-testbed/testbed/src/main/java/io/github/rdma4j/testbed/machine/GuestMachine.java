// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import io.github.rdma4j.testbed.host.TestbedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
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
    private final Control control = new Control();

    private GuestMachine(MachineProcess process, Ports ports) {
        this.process = process;
        this.ports = ports;
    }

    /**
     * Starts a process and waits until it has connected to the sockets of the ports.
     *
     * @param program the name of the program in messages
     * @throws MachineEndException if the process ended before
     */
    public static GuestMachine start(String program, ProcessBuilder builder, Ports ports)
            throws TestbedException, InterruptedException {
        @Nullable GuestMachine machine = null;
        boolean connected = false;
        try {
            machine = new GuestMachine(
                    MachineProcess.start(program, builder, () -> quietly(ports::stopListening)), ports);
            ports.accept();
            machine.process.reached("ports");
            connected = true;
            return machine;
        } catch (IOException e) {
            MachineProcess process = Objects.requireNonNull(machine).process;
            process.kill();
            int status = process.await();
            throw new MachineEndException(
                    program + " ended with status " + status + ": " + process.complaints()
                            + MachineEndException.advice(status, process.complaints()),
                    process.console());
        } finally {
            if (!connected) {
                quietly(machine == null ? ports::close : machine::close);
            }
        }
    }

    private interface Closing {
        void run() throws IOException;
    }

    private static void quietly(Closing closing) {
        try {
            closing.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The process of the machine. */
    public MachineProcess process() {
        return process;
    }

    /** The stream of {@code agent.pl}'s protocol. */
    public Control control() {
        return control;
    }

    /** A standard stream of the command, 0 to 2. */
    public SocketChannel stream(int descriptor) {
        return ports.channels.get(descriptor + 1);
    }

    @Override
    public void close() {
        process.close();
        try {
            process.await();
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

    /** Lines between the launcher and the guest. One thread reads at a time; any thread writes. */
    public final class Control {
        private final ByteBuffer input = ByteBuffer.allocate(4096).flip();

        private Control() {}

        /** Returns the guest's next line, or null when the guest has ended. */
        public @Nullable String readLine() {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            while (input.hasRemaining() || fill()) {
                byte next = input.get();
                if (next == '\n') {
                    return line.toString(StandardCharsets.UTF_8);
                }
                line.write(next);
            }
            return null;
        }

        /** Returns this number of bytes after the last line, or null when the guest has ended. */
        public byte @Nullable [] readBytes(int count) {
            byte[] bytes = new byte[count];
            int read = 0;
            while (read < count) {
                if (!input.hasRemaining() && !fill()) {
                    return null;
                }
                int length = Math.min(input.remaining(), count - read);
                input.get(bytes, read, length);
                read += length;
            }
            return bytes;
        }

        // A guest that ends closes or resets the connection.
        private boolean fill() {
            try {
                return channel().read(input.clear()) >= 0;
            } catch (IOException e) {
                input.clear();
                return false;
            } finally {
                input.flip();
            }
        }

        /** Writes all of a message. */
        public synchronized void write(byte[] message) throws IOException {
            ByteBuffer buffer = ByteBuffer.wrap(message);
            while (buffer.hasRemaining()) {
                channel().write(buffer);
            }
        }

        /** Whether the machine has not been closed. */
        public boolean isOpen() {
            return channel().isOpen();
        }

        private SocketChannel channel() {
            return ports.channels.get(0);
        }
    }
}
