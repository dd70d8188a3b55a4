// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import io.github.rdma4j.internal.memory.CommandArena;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.internal.umad.UserMadHeader;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.MappedMemory;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads the MADs of a umad file, one at a time.
 *
 * <p>The kernel gives a message away whole or not at all: to a read without room for a long message it gives the header
 * with the length, and the first segment; the message stays the first of the queue, before all others, until a read has
 * room for it. So a message that nobody wants has to be read nevertheless. That is done into pages that are given back
 * at once, and neither the Java heap nor the memory of direct buffers has to have room for them.
 */
final class MadReader {
    /** What the first read has room for: as much as the arena of a command. */
    private static final int READ_BYTES = 8 * 1024;

    private static final int SEGMENT_BYTES = 256;

    /** The kernel reads no more than this at a time ({@code MAX_RW_COUNT}). */
    private static final long LONGEST_READ = 0x7fff_f000;

    private static final int CHUNK_BYTES = 1 << 20;

    private final KernelFd fd;
    private final HeaderLayout layout;

    /** Nobody else takes a message between its two reads. */
    private final ReentrantLock lock = new ReentrantLock();

    MadReader(KernelFd fd, HeaderLayout layout) {
        this.fd = fd;
        this.layout = layout;
    }

    /** The next message if there is one; a longer one than {@code maxBytes} is dropped but for its first segment. */
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
            length = Integer.toUnsignedLong(arena.buffer().getInt(base + UserMadHeader.Layout.LENGTH));
            first = message(arena.buffer(), base, SEGMENT_BYTES);
        }
        if (length <= READ_BYTES || length > LONGEST_READ) {
            throw new MalformedReplyException("header of a MAD", UserMadHeader.Layout.LENGTH, (int) length);
        }
        return Optional.of(longMessage(first, length, maxBytes));
    }

    private ReceivedMad shortMessage(ByteBuffer memory, int base, int bytes, int maxBytes) {
        return bytes <= maxBytes
                ? message(memory, base, bytes)
                : refused(message(memory, base, SEGMENT_BYTES), ReceivedMad.TOO_LONG);
    }

    private static ReceivedMad refused(ReceivedMad first, int why) {
        return new ReceivedMad(why, first.from(), first.mad());
    }

    private ReceivedMad longMessage(ReceivedMad first, long length, int maxBytes) throws RdmaException {
        long bytes = length - layout.bytes();
        ByteBuffer mad = bytes > maxBytes ? null : allocate((int) bytes);
        try (MappedMemory memory = MappedMemory.allocate(length)) {
            int read = madBytes(fd.read(NativeMemory.address(memory.slice(0, 1)), length));
            if (mad == null) {
                return refused(first, bytes > maxBytes ? ReceivedMad.TOO_LONG : ReceivedMad.NO_MEMORY);
            }
            if (read != bytes) {
                throw new MalformedReplyException("MAD of " + fd.name(), read, mad.limit());
            }
            copy(memory, length, mad);
        }
        return new ReceivedMad(first.status(), first.from(), mad);
    }

    /** Before the message is taken from the kernel: who asked for it has to be told when there is no room. */
    private static @Nullable ByteBuffer allocate(int bytes) {
        try {
            return ByteBuffer.allocate(bytes);
        } catch (OutOfMemoryError full) {
            return null;
        }
    }

    private void copy(MappedMemory memory, long length, ByteBuffer mad) {
        for (long from = layout.bytes(); from < length; ) {
            int bytes = (int) Math.min(length - from, CHUNK_BYTES - from % CHUNK_BYTES);
            mad.put((int) from - layout.bytes(), memory.slice(from, bytes), 0, bytes);
            from += bytes;
        }
    }

    /** How long the MAD is of which a read had this result. */
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
        return new ReceivedMad(header.status(), from(header), mad);
    }

    /** The kernel tells no Q_Key; that of the general services is the only one to answer with. */
    private static MadAddress from(UserMadHeader header) {
        Optional<MadAddress.Grh> grh = header.grhPresent()
                ? Optional.of(new MadAddress.Grh(
                        header.gid(), header.gidIndex(), header.hopLimit(), header.trafficClass(), header.flowLabel()))
                : Optional.empty();
        return new MadAddress(
                header.lid(),
                header.sl() & 0xf,
                header.qpn() & 0xff_ffff,
                MadAddress.GSI_QKEY,
                header.pkeyIndex(),
                grh);
    }
}
