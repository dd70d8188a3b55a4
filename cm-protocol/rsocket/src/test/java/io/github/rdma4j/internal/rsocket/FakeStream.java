// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.rsocket.wire.ConnData;
import io.github.rdma4j.internal.rsocket.wire.Message;
import io.github.rdma4j.internal.rsocket.wire.NoGrowth;
import io.github.rdma4j.internal.rsocket.wire.Queues;
import io.github.rdma4j.internal.rsocket.wire.StreamEngine;
import io.github.rdma4j.internal.rsocket.wire.StreamMemory;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;

/** A stream with a device of a test. */
final class FakeStream extends StreamLife {
    /** Not that of other tests: whoever closes a stream gives back a use of the kernel's event loop. */
    private static final Kernel KERNEL =
            new LinuxKernel(LinuxKernel.running().syscalls(), Path.of("/sys"), Path.of("/dev"));

    private static final int BUFFER = 1 << 17;
    private static final int QUEUE = 384;
    private static final Duration LINGER = Duration.ofSeconds(60);

    private static final InetSocketAddress NOWHERE = new InetSocketAddress(0);

    private final FakeLink link;
    private final StreamEngine engine;

    private FakeStream(FakeLink link, StreamEngine engine) {
        super(new Connection(NOWHERE, NOWHERE, "fake0", () -> {}), link, engine, settings());
        this.link = link;
        this.engine = engine;
    }

    /** Whose end says DISCONNECT, and waits until the device of the peer has it. */
    static FakeStream open() throws IOException {
        StreamMemory.Places places = new StreamMemory.Places(BUFFER, BUFFER, 0, 0);
        StreamMemory memory = new StreamMemory(
                ByteBuffer.allocateDirect(places.remoteBytes()),
                1 << 20,
                1,
                ByteBuffer.allocateDirect(places.localBytes()),
                places);
        FakeLink link = new FakeLink();
        StreamEngine engine = new StreamEngine(memory, new Queues(QUEUE, QUEUE, false), link, NoGrowth.NONE);
        link.engine = engine;
        FakeStream made = new FakeStream(link, engine);
        made.begin(new byte[0], true);
        link.acknowledge();
        int unused = made.ready();
        return made;
    }

    private static StreamSettings settings() {
        StreamSettings usual = StreamSettings.defaults();
        return new StreamSettings(
                KERNEL,
                BUFFER,
                BUFFER,
                usual.queues(),
                0,
                new StreamSettings.Times(Duration.ofSeconds(1), LINGER, Duration.ZERO, Duration.ZERO),
                null);
    }

    FakeLink link() {
        return link;
    }

    /** The peer sends so many bytes. */
    void bytesCome(int bytes) {
        link.message(Message.DATA, bytes, bytes);
    }

    /** Another thread processes what has come, and nobody is told. */
    void processElsewhere() {
        lock.lock();
        try {
            boolean unused = state.process();
        } finally {
            lock.unlock();
        }
    }

    int available() {
        processElsewhere();
        return engine.available();
    }

    /** A read of all bytes. */
    void dropBytes() throws RdmaException {
        lock.lock();
        try {
            int unused = engine.read(ByteBuffer.allocate(BUFFER));
        } finally {
            lock.unlock();
        }
    }

    void failNow(IOException why) {
        lock.lock();
        try {
            state.fail(why);
        } finally {
            lock.unlock();
        }
    }

    @Override
    protected String wire() {
        return "rsocket";
    }

    @Override
    protected byte[] description() {
        return engine.description().encode();
    }

    @Override
    protected void begin(byte[] told, boolean accepted) throws IOException {
        begin(() -> engine.connected(
                ConnData.local(QUEUE, 0, new ConnData.Area(1 << 20, 1, 2), new ConnData.Area(1 << 21, 1, BUFFER))));
    }
}
