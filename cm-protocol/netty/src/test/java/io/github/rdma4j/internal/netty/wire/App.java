// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

import io.github.rdma4j.kernel.RdmaException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;

/** A program on one side: it writes a running pattern, compares what it reads, and ends the connection. */
final class App {
    /** What a program does at the end, when it has written all. */
    enum End {
        /** Ends its output, waits for the end of the peer's, and leaves. */
        ORDERLY,

        /** Leaves. */
        ABRUPT,

        /** Reads nothing more, then leaves when the peer has ended. */
        DEAF
    }

    /** A buffer that was written, and the number of all bytes up to its end. */
    private record Written(ByteBuf buffer, long end) {}

    final Side side;
    private final Random random;
    private final long bytes;
    private final int largest;
    private final End end;
    private final Deque<Written> buffers = new ArrayDeque<>();

    long written;
    long read;
    private int step;
    private int idle;
    boolean sawEnd;

    /** What comes is dropped. */
    private boolean deaf;

    App(Side side, Random random, long bytes, int largest, End end) {
        this.side = side;
        this.random = random;
        this.bytes = bytes;
        this.largest = largest;
        this.end = end;
    }

    private static byte pattern(long at) {
        return (byte) (17 + at * 7 + (at >>> 8) * 13 + (at >>> 16));
    }

    private byte[] text(int length) {
        byte[] text = new byte[length];
        for (int i = 0; i < length; i++) {
            text[i] = pattern(written + i);
        }
        return text;
    }

    /** Makes some calls; returns true if something came of one. */
    boolean act() throws RdmaException {
        if (idle == 0 && random.nextInt(64) == 0) {
            idle = 1 + random.nextInt(50);
        }
        if (idle > 0) {
            idle--;
            return true;
        }
        boolean acted = random.nextInt(4) > 0 && side.poll(1 + random.nextInt(16));
        acted |= random.nextInt(4) > 0 && side.acknowledge(1 + random.nextInt(16));
        acted |= random.nextInt(4) > 0 && write();
        acted |= random.nextInt(4) > 0 && read();
        acted |= random.nextInt(4) == 0 && end();
        return acted;
    }

    /** Makes each call. */
    boolean actInFull() throws RdmaException {
        idle = 0;
        boolean acted = side.poll(Integer.MAX_VALUE);
        acted |= side.acknowledge(Integer.MAX_VALUE);
        acted |= write();
        acted |= read();
        acted |= end();
        return acted;
    }

    private boolean write() throws RdmaException {
        spoil();
        if (step > 0 || !side.engine.outputOpen() || side.engine.peerGone()) {
            return false;
        }
        long before = written;
        int parts = 1 + random.nextInt(4);
        boolean more = true;
        for (int i = 0; i < parts && more && written < bytes; i++) {
            int length = (int) Math.min(bytes - written, 1 + random.nextInt(largest));
            int index = random.nextInt(3);
            ByteBuf buffer = random.nextBoolean()
                    ? Unpooled.directBuffer(index + length, index + length)
                    : Unpooled.buffer(index + length, index + length);
            buffer.setBytes(index, text(length));
            int taken = side.engine.write(buffer, index, length);
            written += taken;
            buffers.add(new Written(buffer, written));
            more = taken == length;
        }
        side.engine.flushOpen();
        spoil();
        return written > before;
    }

    /** The bytes that are copied, or that the device has read, belong to the program again. */
    private void spoil() {
        while (!buffers.isEmpty() && buffers.getFirst().end <= side.engine.copied()) {
            ByteBuf free = buffers.removeFirst().buffer;
            free.setZero(0, free.capacity());
            if (!free.release()) {
                throw new AssertionError("a buffer that is copied is still in use: " + side);
            }
        }
    }

    private boolean read() throws RdmaException {
        long before = read;
        while (side.engine.available() > 0 && random.nextInt(4) > 0) {
            ByteBuf got = random.nextBoolean() ? side.take() : copy();
            compare(got);
            got.release();
        }
        sawEnd |= side.engine.atEnd() && !deaf;
        return read > before;
    }

    private ByteBuf copy() throws RdmaException {
        int room = 1 + random.nextInt(largest);
        ByteBuf into = Unpooled.buffer(room, room);
        int unused = side.engine.read(into, random.nextInt(1000));
        side.engine.proceed();
        return into;
    }

    private void compare(ByteBuf got) {
        while (got.isReadable()) {
            if (got.readByte() != pattern(read)) {
                throw new AssertionError("byte " + read + " of the stream is another one: " + side);
            }
            read++;
        }
    }

    private boolean end() throws RdmaException {
        boolean allWritten = written == bytes || !side.engine.outputOpen() || side.engine.peerGone();
        if (!allWritten || isDone()) {
            return false;
        }
        if (step == 0 && end == End.ORDERLY) {
            side.engine.shutdownOutput();
            step = 1;
        } else if (step == 0 && end == End.DEAF) {
            side.engine.shutdownOutput();
            side.engine.shutdownInput();
            deaf = true;
            step = 2;
        } else if (step == 0 || end != End.ORDERLY || side.engine.atEnd()) {
            side.engine.disconnect();
            deaf = true;
            step = 3;
        } else {
            return false;
        }
        return true;
    }

    boolean isDone() {
        return step == 3;
    }

    void free() {
        side.free();
        for (Written left : buffers) {
            left.buffer.release();
        }
    }

    @Override
    public String toString() {
        return "wrote " + written + " of " + bytes + ", read " + read + ", " + end + " step " + step + ": " + side;
    }
}
