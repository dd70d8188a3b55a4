// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.internal.rsocket.wire.StreamEngine;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.WorkCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The bytes of a stream. */
abstract class StreamBytes extends StreamLife<StreamLink, StreamEngine> {
    /** The last write could not write everything. */
    private boolean wasShort;

    /** A write has succeeded after the peer had closed the connection. */
    private boolean wroteToNobody;

    StreamBytes(CmConnection connection, StreamLink link, StreamEngine engine, StreamSettings settings) {
        super(connection, link, engine, settings);
    }

    @Override
    protected final void received(WorkCompletion completion) throws RdmaException {
        link.receive(completion, engine);
    }

    @Override
    protected final void sent(long number) {
        engine.sent(number);
    }

    @Override
    protected final boolean mayWriteDirectly() {
        return engine.mayWriteAt();
    }

    /** As {@link StreamEngine#holdBytes()}: for an event loop, which processes the completions of its streams at any time. */
    public final void holdBytes() {
        lock.lock();
        try {
            engine.holdBytes();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Reads without waiting.
     *
     * @return the number of bytes; 0 if there are none now, -1 at the end of the stream
     */
    public final int read(ByteBuffer into) throws IOException {
        lock.lock();
        try {
            requireOpen();
            if (!into.hasRemaining()) {
                return 0;
            }
            return hasBytes() ? take(into) : nothing();
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #read(ByteBuffer)}, into {@code length} buffers, of which one has room. */
    public final long read(ByteBuffer[] into, int offset, int length) throws IOException {
        lock.lock();
        try {
            requireOpen();
            if (!hasBytes()) {
                return nothing();
            }
            long bytes = 0;
            for (int i = offset; i < offset + length && engine.available() > 0; i++) {
                bytes += take(into[i]);
            }
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    private boolean hasBytes() {
        if (engine.available() == 0) {
            process();
        }
        return engine.available() > 0;
    }

    /** What a read returns that finds no bytes. */
    private int nothing() throws IOException {
        if (engine.atEnd()) {
            return -1;
        }
        throwFailure();
        return 0;
    }

    /** The number of bytes that a read would return at most. */
    public final int available() throws IOException {
        lock.lock();
        try {
            requireOpen();
            process();
            return engine.available();
        } finally {
            lock.unlock();
        }
    }

    /** A failure to give the peer room does not lose the bytes: the next call reports it. */
    private int take(ByteBuffer into) {
        int before = into.remaining();
        try {
            int unused = engine.read(into);
            flush();
        } catch (RdmaException broken) {
            fail(Resets.reset(broken));
        }
        return before - into.remaining();
    }

    /** Copies bytes without waiting, and leaves them to the next read. */
    public final int peek(ByteBuffer into) throws IOException {
        lock.lock();
        try {
            requireOpen();
            process();
            return engine.peek(into);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Writes without waiting.
     *
     * @return the number of bytes, which may be 0
     */
    public final int write(ByteBuffer from) throws IOException {
        lock.lock();
        try {
            if (!reachesPeer()) {
                return drop(from);
            }
            int bytes = put(from);
            wasShort = from.hasRemaining();
            flush();
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #write(ByteBuffer)}, from {@code length} buffers. */
    public final long write(ByteBuffer[] from, int offset, int length) throws IOException {
        lock.lock();
        try {
            boolean reaches = reachesPeer();
            long bytes = 0;
            for (int i = offset; i < offset + length && !wasShort; i++) {
                bytes += reaches ? put(from[i]) : drop(from[i]);
                wasShort = from[i].hasRemaining();
            }
            flush();
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Refuses a write that cannot succeed. As over TCP, the first write after the peer has closed the connection succeeds, although
     * its bytes go nowhere: a program that writes before it reads still reads what the peer has sent.
     *
     * @return false if the bytes go nowhere
     */
    private boolean reachesPeer() throws IOException {
        process(); // a thread that only writes would not hear of the end of the connection
        boolean first =
                failure == null && !closed && engine.outputOpen() && engine.peerGone() && !wroteToNobody && !wasShort;
        wasShort = false;
        if (first) {
            wroteToNobody = true;
            return false;
        }
        requireOutput();
        return true;
    }

    private static int drop(ByteBuffer from) {
        int bytes = from.remaining();
        from.position(from.limit());
        return bytes;
    }

    /** What has been sent counts, though the connection ends in between: the next write hears of that. */
    private int put(ByteBuffer from) throws IOException {
        int bytes = send(from);
        while (from.hasRemaining() && process()) {
            if (bytes > 0 && (failure != null || engine.peerGone())) {
                return bytes;
            }
            requireOutput();
            int sent = send(from);
            bytes += sent;
            if (sent == 0) {
                return bytes;
            }
        }
        return bytes;
    }

    private int send(ByteBuffer from) throws IOException {
        try {
            return engine.write(from);
        } catch (RdmaException broken) {
            throw failed(broken);
        }
    }
}
