// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import io.github.rdma4j.internal.rsocket.wire.ConnData.Area;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** An engine whose peer is the test. */
final class Recorder implements Wire {
    /** Where the peer has its list, which the test does not look at. */
    static final Area LIST = new Area(0x7f12_3456_0000L, 0x1234, 2);

    static final Area BUFFER = new Area(0x7f12_3458_0000L, 0x5678, 1 << 16);

    /** One write as words: the message, the address and the key, and the bytes. */
    final List<String> posts = new ArrayList<>();

    final StreamMemory memory;
    final StreamEngine engine;

    /** The number of the last write whose completion the device tells. */
    long last;

    Recorder(Setup setup) {
        StreamMemory.Places places = setup.places();
        // The first byte that the engine offers is at an address that reads well.
        memory = new StreamMemory(
                ByteBuffer.allocate(places.remoteBytes()).order(ByteOrder.nativeOrder()),
                0x7fab_cd00_0000L - places.receiveOffset(),
                0x9abc,
                ByteBuffer.allocate(places.localBytes()),
                places);
        engine = new StreamEngine(
                memory,
                new Queues(setup.sendQueue(), setup.receiveQueue(), setup.messagesAreSent()),
                this,
                NoGrowth.NONE);
    }

    static Recorder connected(Setup setup) throws RdmaException {
        Recorder recorder = new Recorder(setup);
        recorder.engine.connected(peer(384, 4));
        return recorder;
    }

    static ConnData peer(int credits, int windows) {
        return ConnData.local(credits, windows, LIST, BUFFER);
    }

    @Override
    public void post(Post post) {
        byte[] bytes = new byte[post.length];
        memory.local().get(post.offset, bytes);
        String message = post.hasMessage ? String.format("%08x", post.message) : "-";
        posts.add(message + " to " + Long.toHexString(post.remoteAddress) + "/" + Integer.toHexString(post.remoteKey)
                + ": " + HexFormat.ofDelimiter(" ").formatHex(bytes));
        last = post.signaled ? post.number : last;
    }

    /** The peer writes an entry to the list, and says so. */
    void offer(int slot, long address, int key, int length, int count) throws RdmaException {
        entry(slot, address, key, length);
        engine.received(Message.of(Message.SGL, count), StreamMemory.ENTRY);
    }

    void entry(int slot, long address, int key, int length) {
        int at = slot * StreamMemory.ENTRY;
        memory.remote().putLong(at, address).putInt(at + 8, key).putInt(at + 12, length);
    }

    /** The writes since the last call. */
    List<String> take() {
        List<String> taken = List.copyOf(posts);
        posts.clear();
        return taken;
    }
}
