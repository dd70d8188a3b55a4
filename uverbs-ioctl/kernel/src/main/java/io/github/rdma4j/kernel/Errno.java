// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import org.jspecify.annotations.Nullable;

/**
 * The error number of a system call, as returned by the kernel.
 *
 * <p>This is not an enum, because the kernel may return numbers that no header defines, and these must be preserved.
 * For example, RDMA drivers return 524, the kernel-internal {@code ENOTSUPP}, to user space.
 *
 * @param number the positive error number
 */
public record Errno(int number) {
    public static final Errno EPERM = new Errno(1);
    public static final Errno ENOENT = new Errno(2);
    public static final Errno EINTR = new Errno(4);
    public static final Errno EIO = new Errno(5);
    public static final Errno ENXIO = new Errno(6);
    public static final Errno EAGAIN = new Errno(11);
    public static final Errno ENOMEM = new Errno(12);
    public static final Errno EACCES = new Errno(13);
    public static final Errno EFAULT = new Errno(14);
    public static final Errno EBUSY = new Errno(16);
    public static final Errno ENODEV = new Errno(19);
    public static final Errno EINVAL = new Errno(22);
    public static final Errno ENFILE = new Errno(23);
    public static final Errno EMFILE = new Errno(24);
    public static final Errno ENOTTY = new Errno(25);
    public static final Errno ENOSPC = new Errno(28);
    public static final Errno EPIPE = new Errno(32);
    public static final Errno ENOSYS = new Errno(38);
    public static final Errno ENODATA = new Errno(61);
    public static final Errno EPROTONOSUPPORT = new Errno(93);
    public static final Errno EOPNOTSUPP = new Errno(95);
    public static final Errno EADDRINUSE = new Errno(98);
    public static final Errno EADDRNOTAVAIL = new Errno(99);
    public static final Errno ENETUNREACH = new Errno(101);
    public static final Errno ECONNRESET = new Errno(104);
    public static final Errno ENOBUFS = new Errno(105);
    public static final Errno EISCONN = new Errno(106);
    public static final Errno ETIMEDOUT = new Errno(110);
    public static final Errno ECONNREFUSED = new Errno(111);
    public static final Errno EHOSTUNREACH = new Errno(113);
    public static final Errno ENOTSUPP = new Errno(524);

    /** Returns the error number encoded by {@code result}, the negative result of a system call. */
    public static Errno ofResult(long result) {
        return new Errno((int) -result);
    }

    /** Returns the C name, for example {@code EINVAL}, or {@code errno 4711} for a number without a name. */
    public String name() {
        return ErrnoTable.lookup(number).name();
    }

    /** Returns the C library's English description. */
    public String text() {
        return ErrnoTable.lookup(number).text();
    }

    /**
     * Written out: the first call of a record's own method takes a JVM 20 ms, and a short program makes a single one.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Errno errno && errno.number == number;
    }

    @Override
    public int hashCode() {
        return number;
    }

    @Override
    public String toString() {
        return name() + " (" + number + ") " + text();
    }
}
