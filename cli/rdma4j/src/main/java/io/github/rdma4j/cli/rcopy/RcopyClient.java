// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.rcopy;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.RdmaException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Sends a file. For one thread. */
final class RcopyClient {
    private static final int CHUNK = 1 << 20;

    private final RcopyStream stream;

    /**
     * A copied file.
     *
     * @param bytes the size
     * @param nanos from the first byte to the server's reply
     */
    record Copied(long bytes, long nanos) {}

    RcopyClient(RcopyStream stream) {
        this.stream = stream;
    }

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
