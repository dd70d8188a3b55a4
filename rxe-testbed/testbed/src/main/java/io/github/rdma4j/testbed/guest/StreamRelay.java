// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import io.github.rdma4j.testbed.host.Daemon;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Copies an output stream of the command from its port to the host and counts the bytes, so that the end can be
 * recognised.
 */
final class StreamRelay {
    private static final int CHUNK = 65536;

    private final SocketChannel port;
    private final OutputStream sink;
    private final Runnable onBrokenSink;
    private final Runnable onBytes;
    private long bytes;
    private boolean ended;

    private StreamRelay(SocketChannel port, OutputStream sink, Runnable onBrokenSink, Runnable onBytes) {
        this.port = port;
        this.sink = sink;
        this.onBrokenSink = onBrokenSink;
        this.onBytes = onBytes;
    }

    static StreamRelay start(
            String name, SocketChannel port, OutputStream sink, Runnable onBrokenSink, Runnable onBytes) {
        StreamRelay relay = new StreamRelay(port, sink, onBrokenSink, onBytes);
        Daemon.start(name, relay::copy);
        return relay;
    }

    private void copy() {
        byte[] chunk = new byte[CHUNK];
        ByteBuffer buffer = ByteBuffer.wrap(chunk);
        boolean sinkWorks = true;
        try {
            while (port.read(buffer.clear()) >= 0) {
                if (sinkWorks && !write(chunk, buffer.position())) {
                    sinkWorks = false;
                    onBrokenSink.run();
                }
                count(buffer.position());
                onBytes.run();
            }
        } catch (IOException e) {
            // The guest has ended, or was killed after all output had been read.
        } finally {
            end();
        }
    }

    private boolean write(byte[] chunk, int length) {
        try {
            sink.write(chunk, 0, length);
            sink.flush();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private synchronized void count(int more) {
        bytes += more;
        notifyAll();
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** Waits until this number of bytes has been delivered, or the guest has ended. */
    synchronized void await(long expected) throws InterruptedException {
        while (bytes < expected && !ended) {
            wait();
        }
    }

    /**
     * Copies the input of the command; its end becomes the end of the command's input. The guest must have opened the
     * port.
     */
    static void startInput(InputStream source, SocketChannel port) {
        Daemon.start("stdin", () -> copy(source, port));
    }

    private static void copy(InputStream source, SocketChannel port) {
        byte[] chunk = new byte[CHUNK];
        try {
            for (int read = source.read(chunk); read >= 0; read = source.read(chunk)) {
                ByteBuffer buffer = ByteBuffer.wrap(chunk, 0, read);
                while (buffer.hasRemaining()) {
                    port.write(buffer);
                }
            }
            // Only this direction: at a hang-up QEMU discards what it has not read.
            port.shutdownOutput();
        } catch (IOException e) {
            // The input cannot be read, or the guest has ended.
            return;
        }
    }
}
