// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.memory.CommandArena;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.umad.UserMadHeader;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.MappedMemory;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.umad.UmadDevice.HeaderLayout;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reads the MADs of a umad file, one at a time.
 *
 * <p>The kernel delivers only whole messages. If the buffer is too small for a long message, a read returns the header
 * with the length, and the first segment; the message stays at the head of the queue until a read has enough room. A
 * message that is too long must therefore be read as well. It is read into pages that are freed at once, outside the
 * Java heap and direct memory.
 */
final class MadReader {
    /** The size of the first read, which fits into the arena of a command. */
    private static final int READ_BYTES = 8 * 1024;

    /** The largest read of the kernel ({@code MAX_RW_COUNT}). */
    private static final long LONGEST_READ = 0x7fff_f000;

    private static final int CHUNK_BYTES = 1 << 20;

    private final KernelFd fd;
    private final HeaderLayout layout;

    /** Keeps the two reads of a message together. */
    private final ReentrantLock lock = new ReentrantLock();

    MadReader(KernelFd fd, HeaderLayout layout) {
        this.fd = fd;
        this.layout = layout;
    }

    /** Reads the next message, if any; of a message longer than {@code maxBytes}, only the first segment. */
    Optional<ReceivedMad> next(int maxBytes) throws RdmaException {
        lock.lock();
        try {
            return read(maxBytes);
        } finally {
            lock.unlock();
        }
    }

    private Optional<ReceivedMad> read(int maxBytes) throws RdmaException {
        long length;
        ReceivedMad first;
        try (CommandArena arena = CommandArena.open()) {
            int base = arena.allocate(READ_BYTES);
            long result = fd.read(arena.address(base), READ_BYTES);
            if (result == -Errno.EAGAIN.number()) {
                return Optional.empty();
            }
            if (result != -Errno.ENOSPC.number()) {
                return Optional.of(shortMessage(arena.buffer(), base, madBytes(result), maxBytes));
            }
            length = Integer.toUnsignedLong(arena.buffer().getInt(base + UserMadHeader.LENGTH));
            first = message(arena.buffer(), base, MadHeader.MAD_BYTES);
        }
        if (length <= READ_BYTES || length > LONGEST_READ) {
            throw new MalformedReplyException("header of a MAD", UserMadHeader.LENGTH, (int) length);
        }
        return Optional.of(longMessage(first, length, maxBytes));
    }

    private ReceivedMad shortMessage(ByteBuffer memory, int base, int bytes, int maxBytes) {
        return bytes <= maxBytes ? message(memory, base, bytes) : tooLong(message(memory, base, MadHeader.MAD_BYTES));
    }

    private static ReceivedMad tooLong(ReceivedMad first) {
        return new ReceivedMad(ReceivedMad.TOO_LONG, first.from(), first.mad());
    }

    private ReceivedMad longMessage(ReceivedMad first, long length, int maxBytes) throws RdmaException {
        long bytes = length - layout.bytes();
        ByteBuffer mad;
        try (MappedMemory memory = MappedMemory.allocate(length)) {
            int read = madBytes(fd.read(NativeMemory.address(memory.slice(0, 1)), length));
            if (bytes > maxBytes) {
                return tooLong(first);
            }
            if (read != bytes) {
                throw new MalformedReplyException("MAD of " + fd.name(), read, (int) bytes);
            }
            mad = ByteBuffer.allocate(read);
            copy(memory, length, mad);
        }
        return new ReceivedMad(first.status(), first.from(), mad);
    }

    private void copy(MappedMemory memory, long length, ByteBuffer mad) {
        for (long from = layout.bytes(); from < length; ) {
            int bytes = (int) Math.min(length - from, CHUNK_BYTES - from % CHUNK_BYTES);
            mad.put((int) from - layout.bytes(), memory.slice(from, bytes), 0, bytes);
            from += bytes;
        }
    }

    /** The length of the MAD from the result of a read. */
    private int madBytes(long result) throws RdmaException {
        if (result < 0) {
            Errno errno = Errno.ofResult(result);
            throw new ErrnoException("read " + fd.name(), errno, UmadAdvice.read(errno));
        }
        if (result < layout.bytes()) {
            throw new MalformedReplyException("MAD of " + fd.name(), (int) result, (int) result);
        }
        return (int) result - layout.bytes();
    }

    private ReceivedMad message(ByteBuffer memory, int base, int bytes) {
        UserMadHeader header = UserMadHeader.decode(memory, base, layout.bytes());
        ByteBuffer mad = ByteBuffer.allocate(bytes).put(0, memory, base + layout.bytes(), bytes);
        return new ReceivedMad(header.status(), header.peer(), mad);
    }
}
