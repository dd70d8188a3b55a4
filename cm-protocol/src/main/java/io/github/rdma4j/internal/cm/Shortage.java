// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.cm;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a listener has run out of. Its rejection says so in private data: the letters {@code R4J} and the version 1, 4 bytes with
 * the code, 8 bytes of zeros, in network byte order. A C program sees a refused connection.
 */
public enum Shortage {
    /** Of memory, in most cases of memory that may be locked. */
    MEMORY(
            2,
            "no memory left for another connection: raise the limit of locked memory there (ulimit -l, or LimitMEMLOCK of the"
                    + " service), or let its connections have smaller buffers"),

    /** Of descriptors. */
    DESCRIPTORS(
            3,
            "no file descriptors left for another connection: raise the limit there (ulimit -n, or LimitNOFILE of the service)"),

    /** Of queue pairs or others of the device's objects. */
    DEVICE(4, "no room in its RDMA device for another connection: rdma resource show lists there what uses the device");

    private static final int BYTES = 16;
    private static final int BEGIN = 'R' << 24 | '4' << 16 | 'J' << 8 | 1;
    private static final int CODE_AT = 4;

    private final int code;
    private final String advice;

    Shortage(int code, String advice) {
        this.code = code;
        this.advice = advice;
    }

    /** What was missing when something failed; null if it failed for another reason. */
    public static @Nullable Shortage of(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ErrnoException refused && ofErrno(refused.errno()) != null) {
                return ofErrno(refused.errno());
            }
        }
        return null;
    }

    /** True also if direct memory is used up. */
    public static boolean isCauseOf(Throwable failure) {
        return failure instanceof OutOfMemoryError || of(failure) != null;
    }

    private static @Nullable Shortage ofErrno(Errno errno) {
        if (errno.equals(Errno.ENOMEM)) {
            return MEMORY;
        }
        if (errno.equals(Errno.EMFILE) || errno.equals(Errno.ENFILE)) {
            return DESCRIPTORS;
        }
        boolean full = errno.equals(Errno.ENOBUFS) || errno.equals(Errno.ENOSPC) || errno.equals(Errno.EAGAIN);
        return full ? DEVICE : null;
    }

    /** What the private data of a rejection says; null if it says something else. */
    public static @Nullable Shortage told(byte[] data) {
        if (data.length >= BYTES && ByteBuffer.wrap(data).getInt(0) == BEGIN) {
            for (Shortage shortage : values()) {
                if (shortage.code == ByteBuffer.wrap(data).getInt(CODE_AT)) {
                    return shortage;
                }
            }
        }
        return null;
    }

    /** The private data of a rejection. */
    public byte[] encode() {
        return ByteBuffer.allocate(BYTES).putInt(0, BEGIN).putInt(CODE_AT, code).array();
    }

    /** For the side that is refused. */
    public String advice() {
        return "the listener's side has " + advice + ", and connect again";
    }
}
