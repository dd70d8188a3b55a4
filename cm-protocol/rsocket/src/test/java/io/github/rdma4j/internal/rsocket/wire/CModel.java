// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A side that behaves as C's rsockets do: it counts a message when it is read to its end, gives credits only within its own
 * calls, counts no window, and takes the peer's offers from the memory that the peer writes.
 */
final class CModel extends Side {
    private static final int U16 = 0xffff;
    private static final int LOW_WATER = 2048;
    private static final int CONTROLS = 4;

    private final int half;
    private @Nullable ConnData remote;

    private int sent;
    private int sentLimit;
    private int freeSlots;
    private int freeControls = CONTROLS;
    private int freeBytes;
    private int head;
    private int target;
    private long posted;

    private final Deque<Integer> unread = new ArrayDeque<>();
    private int counted;
    private int due;
    private int readOffset;
    private int freeOffset;
    private int free;
    private int remoteSlot = 1;
    private int entries;

    private boolean connected = true;
    private boolean readable = true;
    private boolean writable = true;
    private int waiting = -1;

    /** DISCONNECT has come, or has reached the peer. C may offer memory after it has sent DISCONNECT. */
    private boolean disconnected;

    private boolean shutdownArrived;

    private final Deque<Flight> windows = new ArrayDeque<>();
    private int mapped;

    CModel(Setup setup) {
        super(setup);
        half = setup.receive() / 2;
        receives = setup.receiveQueue();
        freeSlots = setup.sendQueue() - CONTROLS;
        freeBytes = setup.send();
        due = setup.receiveQueue() / 2;
        free = half;
        freeOffset = half;
    }

    private int slots() {
        return setup.messagesAreSent() ? 2 : 1;
    }

    @Override
    ConnData description() {
        return ConnData.local(
                setup.receiveQueue(),
                setup.iomaps(),
                memory.targets(),
                new ConnData.Area(memory.receiveAddress(0), KEY, half));
    }

    @Override
    void connected(ConnData other) {
        remote = other;
        sentLimit = other.credits();
        memory.remote().putLong(0, other.buffer().address());
        memory.remote().putInt(8, other.buffer().key());
        memory.remote().putInt(12, other.buffer().length());
        process();
    }

    private ConnData remote() {
        return Objects.requireNonNull(remote);
    }

    /** What each of C's calls does when it has to wait. */
    private void process() {
        updateCredits();
        while (!arrivals.isEmpty()) {
            took(arrivals.remove().message());
        }
        while (!completions.isEmpty()) {
            completed(completions.remove());
        }
        if (connected && waiting >= 0 && freeControls > 0) {
            freeControls--;
            send(0, 0, 0, 0, Message.of(Message.CTRL, waiting));
            waiting = -1;
        }
        updateCredits();
    }

    private void took(int message) {
        receives++;
        switch (Message.operation(message)) {
            case Message.SGL -> sentLimit = Message.number(message) & U16;
            case Message.IOMAP -> {
                // Known from the table.
            }
            case Message.CTRL -> {
                disconnected |= Message.number(message) == Message.DISCONNECT;
                connected &= !disconnected && (writable || waiting >= 0);
                waiting = waiting >= 0 ? Message.DISCONNECT : waiting;
                readable = false;
            }
            default -> unread.add(Message.number(message));
        }
    }

    private void completed(Flight flight) {
        if (Message.operation(flight.message) >= Message.SGL && Message.operation(flight.message) != Message.IOMAP) {
            freeControls += setup.messagesAreSent() && flight.length > 0 ? 2 : 1;
            disconnected |= flight.message == Message.of(Message.CTRL, Message.DISCONNECT);
            connected &= !disconnected;
            shutdownArrived |= flight.message == Message.of(Message.CTRL, Message.SHUTDOWN);
        } else {
            freeSlots += slots();
            freeBytes += Message.operation(flight.message) == Message.DATA ? flight.length : 0;
        }
    }

    private void updateCredits() {
        if ((free >= half || (short) (counted - due) >= 0) && freeControls >= slots() && connected && remote != null) {
            freeControls--;
            due = (counted + setup.receiveQueue() / 2) & U16;
            int message = Message.of(Message.SGL, counted + setup.receiveQueue());
            if (free >= half) {
                freeControls -= slots() - 1;
                int at = memory.places().entryOffset(entries++ % CONTROLS);
                memory.local().putLong(at, memory.receiveAddress(freeOffset));
                memory.local().putInt(at + 8, KEY);
                memory.local().putInt(at + 12, half);
                free -= half;
                freeOffset = (freeOffset + half) % (2 * half);
                send(
                        at,
                        16,
                        remote().targets().address() + 16L * remoteSlot,
                        remote().targets().key(),
                        message);
                remoteSlot = (remoteSlot + 1) % remote().targets().length();
            } else {
                send(0, 0, 0, 0, message);
            }
        }
    }

    private void send(int offset, int length, long address, int key, int message) {
        Wire.Post post = new Wire.Post();
        post.offset = offset;
        post.length = length;
        post.remoteAddress = address;
        post.remoteKey = key;
        post.hasMessage = true;
        post.message = message;
        post.number = ++posted;
        flights.add(new Flight(post, memory.local()));
    }

    private int targetLength() {
        return memory.remote().getInt(16 * target + 12);
    }

    private boolean canSend() {
        return freeSlots >= slots() && freeBytes >= LOW_WATER && sent != sentLimit && targetLength() != 0;
    }

    @Override
    int write(ByteBuffer source) {
        int before = source.remaining();
        if (!canSend()) {
            process();
        }
        while (writable && connected && canSend() && !windows.isEmpty()) {
            Flight window = windows.remove();
            spend(0);
            send(window.offset, window.length, window.address, window.key, window.message);
        }
        int chunk = LOW_WATER;
        while (writable && connected && windows.isEmpty() && canSend() && source.hasRemaining()) {
            int room = Math.min(freeBytes, setup.send() - head);
            int bytes = Math.min(Math.min(Math.min(chunk, room), source.remaining()), targetLength());
            memory.local().put(head, source, source.position(), bytes);
            source.position(source.position() + bytes);
            int slot = 16 * target;
            long address = memory.remote().getLong(slot);
            int key = memory.remote().getInt(slot + 8);
            memory.remote().putLong(slot, address + bytes);
            memory.remote().putInt(slot + 12, targetLength() - bytes);
            target = targetLength() == 0 ? 1 - target : target;
            spend(bytes);
            send(head, bytes, address, key, Message.of(Message.DATA, bytes));
            head = (head + bytes) % setup.send();
            chunk = Math.min(2 * chunk, 1 << 16);
        }
        return before - source.remaining();
    }

    private void spend(int bytes) {
        sent = (sent + 1) & U16;
        freeSlots -= slots();
        freeBytes -= bytes;
    }

    @Override
    int read(ByteBuffer into) {
        if (unread.isEmpty()) {
            process();
        }
        int total = 0;
        while (into.hasRemaining() && !unread.isEmpty()) {
            int message = unread.remove();
            int bytes = Math.min(Math.min(message, into.remaining()), 2 * half - readOffset);
            into.put(into.position(), memory.remote(), memory.places().receiveOffset() + readOffset, bytes);
            into.position(into.position() + bytes);
            readOffset = (readOffset + bytes) % (2 * half);
            free += bytes;
            total += bytes;
            if (bytes == message) {
                counted = (counted + 1) & U16;
            } else {
                unread.addFirst(message - bytes);
            }
        }
        return total;
    }

    @Override
    int peek(ByteBuffer into) {
        return -1;
    }

    @Override
    boolean poll(int most) {
        int before = arrivals.size() + completions.size();
        process();
        return arrivals.size() + completions.size() < before;
    }

    @Override
    boolean acknowledge(int most) {
        return false; // C has one queue for both
    }

    @Override
    int map(long offset, ConnData.Area area) {
        if (mapped == remote().iomaps()) {
            return -1;
        }
        int at = memory.places().localBytes() + StreamMemory.IOMAP * mapped;
        Wire.Post post = new Wire.Post();
        post.offset = at;
        post.length = StreamMemory.IOMAP;
        post.remoteAddress = remote().targets().address() + 32 + 24L * mapped;
        post.remoteKey = remote().targets().key();
        post.message = Message.of(Message.IOMAP, mapped);
        memory.local().putLong(at, offset).putLong(at + 8, area.address());
        memory.local().putInt(at + 16, area.key()).putInt(at + 20, area.length());
        windows.add(new Flight(post, memory.local()));
        return mapped++;
    }

    private void end(int code) {
        if (connected) {
            waiting = code;
            process();
        }
    }

    @Override
    void shutdownOutput() {
        if (writable) {
            writable = false;
            end(readable ? Message.SHUTDOWN : Message.DISCONNECT);
        }
    }

    @Override
    void shutdownInput() {
        if (readable) {
            readable = false;
            if (!writable) {
                end(Message.DISCONNECT);
            }
        }
    }

    @Override
    void disconnect() {
        readable = false;
        writable = false;
        end(Message.DISCONNECT);
    }

    @Override
    boolean outputOpen() {
        return writable && connected;
    }

    @Override
    boolean atEnd() {
        return unread.isEmpty() && !readable;
    }

    @Override
    boolean isDrained() {
        return disconnected || (!connected && shutdownArrived);
    }

    @Override
    public String toString() {
        return "C: sent " + sent + " of " + sentLimit + ", free slots " + freeSlots + ", controls " + freeControls
                + ", bytes "
                + freeBytes + ", target " + target + " has " + targetLength() + "; counted " + counted + ", due " + due
                + ", unread " + unread.size() + ", free " + free + (connected ? "" : ", not connected") + "; "
                + super.toString();
    }
}
