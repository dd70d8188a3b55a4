// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.cm;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A resource that a listener lacks. Private data of the rejection: the letters {@code R4J} and the version 1, a 4-byte
 * code, and 8 zero bytes, in network byte order. A C program sees a refused connection.
 */
public enum Shortage {
    /** Memory, usually memory that may be locked. */
    MEMORY(
            2,
            "no memory left for another connection: raise the limit of locked memory there (ulimit -l, or LimitMEMLOCK of the"
                    + " service), or let its connections have smaller buffers"),

    /** File descriptors. */
    DESCRIPTORS(
            3,
            "no file descriptors left for another connection: raise the limit there (ulimit -n, or LimitNOFILE of the service)"),

    /** Queue pairs or other objects of the device. */
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

    /** Returns the shortage that caused a failure; null if the failure has another cause. */
    public static @Nullable Shortage of(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ErrnoException refused && ofErrno(refused.errno()) != null) {
                return ofErrno(refused.errno());
            }
        }
        return null;
    }

    /** Returns true if a failure has such a cause, including exhausted direct memory. */
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

    /** Decodes the private data of a rejection; null if it reports no shortage. */
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

    /** Encodes the private data of a rejection. */
    public byte[] encode() {
        return ByteBuffer.allocate(BYTES).putInt(0, BEGIN).putInt(CODE_AT, code).array();
    }

    /** Returns advice for the rejected side. */
    public String advice() {
        return "the listener's side has " + advice + ", and connect again";
    }
}
