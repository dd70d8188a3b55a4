// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.testkit;

import io.github.rdma4j.kernel.Errno;
import java.nio.ByteBuffer;

/**
 * The file behind a descriptor of a {@link MemoryKernel}. Methods return the results of the system calls; a failure is
 * minus the error number. The kernel calls {@link #write} and {@link #ioctl} without its lock, and all other methods
 * with its lock.
 */
public class OpenFile {
    public OpenFile() {}

    public long write(ByteBuffer bytes) {
        return refused(Errno.EINVAL);
    }

    public int ioctl(long address) {
        return refused(Errno.ENOTTY);
    }

    public long read(ByteBuffer into) {
        return refused(Errno.EAGAIN);
    }

    /** Returns the address of a mapping. */
    public long map(long offset, int length) {
        return refused(Errno.EINVAL);
    }

    public boolean isReadable() {
        return false;
    }

    /** The number of the character device, 0 for any other file. */
    public long deviceNumber() {
        return 0;
    }

    public void close() {}

    public static int refused(Errno errno) {
        return -errno.number();
    }
}
