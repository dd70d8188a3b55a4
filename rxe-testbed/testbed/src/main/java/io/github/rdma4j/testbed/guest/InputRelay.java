// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import io.github.rdma4j.testbed.host.Daemon;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Copies the host's standard input to its port; its end becomes the end of the command's input. */
final class InputRelay {
    private static final int CHUNK = 65536;

    private InputRelay() {}

    /** Call this method when the guest has opened the port: earlier input would be lost. */
    static void start(InputStream source, SocketChannel port) {
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
            // Only this direction: at a hang-up QEMU throws away what it has not read yet.
            port.shutdownOutput();
        } catch (IOException e) {
            // An input that cannot be read ends, and a guest that has ended wants none.
        }
    }
}
