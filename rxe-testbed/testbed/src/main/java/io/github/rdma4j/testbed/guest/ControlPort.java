// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The host's side of the protocol that {@code agent.pl} describes. One thread reads, any thread writes. */
final class ControlPort {
    private static final int RANDOM_BYTES = 32;

    private final SocketChannel channel;
    private final ByteBuffer input = ByteBuffer.allocate(4096).flip();

    ControlPort(SocketChannel channel) {
        this.channel = channel;
    }

    /** Returns the guest's next line, or null when the guest has ended. */
    @Nullable
    String readLine() {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            if (!input.hasRemaining() && !fill()) {
                return null;
            }
            byte next = input.get();
            if (next == '\n') {
                return line.toString(StandardCharsets.UTF_8);
            }
            line.write(next);
        }
    }

    /** Returns this number of bytes after the last line, or null when the guest has ended. */
    byte @Nullable [] readBytes(int count) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (bytes.size() < count) {
            if (!input.hasRemaining() && !fill()) {
                return null;
            }
            int length = Math.min(input.remaining(), count - bytes.size());
            bytes.write(input.array(), input.position(), length);
            input.position(input.position() + length);
        }
        return bytes.toByteArray();
    }

    private boolean fill() {
        input.clear();
        boolean more = read() >= 0;
        input.flip();
        return more;
    }

    // A guest that ends resets the connection or closes it, as the case may be: both are its end.
    private int read() {
        try {
            return channel.read(input);
        } catch (IOException e) {
            return -1;
        }
    }

    void sendCommand(GuestCommand command, Path modules) {
        ByteArrayOutputStream fields = new ByteArrayOutputStream();
        fields.writeBytes(command.directory());
        field(fields, utf8(modules.toString()));
        list(
                fields,
                command.machine().shares().stream()
                        .map(path -> utf8(path.toString()))
                        .toList());
        list(fields, command.arguments());
        list(fields, command.environment());
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(utf8("command " + fields.size() + " " + microsSinceEpoch() + " " + random() + "\n"));
        message.writeBytes(fields.toByteArray());
        send(message.toByteArray());
    }

    private static long microsSinceEpoch() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    // From the kernel: a SecureRandom would have to be loaded for it.
    private static String random() {
        try (InputStream device = Files.newInputStream(Path.of("/dev/urandom"))) {
            return HexFormat.of().formatHex(device.readNBytes(RANDOM_BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void list(ByteArrayOutputStream fields, List<byte[]> values) {
        field(fields, utf8(String.valueOf(values.size())));
        values.forEach(value -> field(fields, value));
    }

    private static void field(ByteArrayOutputStream fields, byte[] value) {
        fields.write(0);
        fields.writeBytes(value);
    }

    /** Lets a node that has reported itself ready start its command. */
    void sendGo() {
        send(utf8("go\n"));
    }

    /** Sends a signal to the command, or to its process group as a terminal would. */
    void sendSignal(int number, boolean toGroup) {
        send(utf8("signal " + number + (toGroup ? " group\n" : " process\n")));
    }

    /** Tells the guest that this stream of the command has no reader any more. */
    void sendClose(int descriptor) {
        send(utf8("close " + descriptor + "\n"));
    }

    private synchronized void send(byte[] message) {
        ByteBuffer buffer = ByteBuffer.wrap(message);
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        } catch (IOException e) {
            // The guest has ended; who waits for it learns so from the reading side.
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
