// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import org.jspecify.annotations.Nullable;

/**
 * A stream of bytes below a channel, over TCP or over RDMA. Nothing here waits, and the channel sees to it that one thread at a time
 * reads and one writes.
 */
interface StreamLink {
    Source source();

    /**
     * Sets what is called, by any thread, when {@link #source()} is another or has something that its descriptor does not show. It
     * does not wait.
     */
    default void onChange(Runnable changed) {}

    /** What a channel says of the link: nothing for TCP. */
    default String description() {
        return "";
    }

    /** The local address, or null before the link is bound. */
    @Nullable
    SocketAddress localAddress() throws IOException;

    /** By default the link is connected from the begin. */
    default void bind(SocketAddress local) throws IOException {
        throw new AlreadyConnectedException();
    }

    /** Starts to connect. Returns true if the link is connected at once. */
    default boolean connect(SocketAddress remote) throws IOException {
        throw new AlreadyConnectedException();
    }

    /** Returns true once the link is connected, and throws if it cannot be. */
    default boolean finishConnect() throws IOException {
        return true;
    }

    /** Reads into a buffer with room. Returns 0 if there is nothing at the moment, and -1 at the end of the stream. */
    int read(ByteBuffer target) throws IOException;

    /** Reads into buffers of which one has room; as {@link #read(ByteBuffer)}. */
    long read(ByteBuffer[] targets, int offset, int length) throws IOException;

    /** Writes from a buffer with bytes. Returns 0 if nothing can be written at the moment. */
    int write(ByteBuffer source) throws IOException;

    /** Writes from buffers of which one has bytes; as {@link #write(ByteBuffer)}. */
    long write(ByteBuffer[] sources, int offset, int length) throws IOException;

    /** Sends one urgent byte. Returns false if it cannot be sent at the moment. */
    boolean writeUrgent(byte data) throws IOException;

    /** The number of bytes that can be read at once. */
    int available() throws IOException;

    void shutdownInput() throws IOException;

    void shutdownOutput() throws IOException;

    <T> void setOption(SocketOption<T> name, T value) throws IOException;

    <T> T getOption(SocketOption<T> name) throws IOException;

    /**
     * Tells the peer of a connected link that nothing more comes, for a channel that is closed while a selector still holds the
     * descriptor; {@link #close()} follows, and does not wait for bytes to arrive.
     */
    void closeLater() throws IOException;

    /** Closes the link as SO_LINGER says. Ends waits only if the waiting threads are signalled. Idempotent. */
    void close();
}
