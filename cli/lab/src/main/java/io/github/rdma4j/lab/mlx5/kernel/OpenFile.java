// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import io.github.rdma4j.kernel.Errno;
import java.nio.ByteBuffer;

/** What a descriptor stands for. Used under the lock of the kernel; results as those of the system calls. */
class OpenFile {
    long write(ByteBuffer bytes) {
        return refused(Errno.EINVAL);
    }

    long read(ByteBuffer into) {
        return refused(Errno.EAGAIN);
    }

    int ioctl(long address) {
        return refused(Errno.ENOTTY);
    }

    /** The address of a mapping, or minus the error number. */
    long map(long offset, int length) {
        return refused(Errno.EINVAL);
    }

    boolean isReadable() {
        return false;
    }

    /** The number of the character device, 0 for a file that is none. */
    long deviceNumber() {
        return 0;
    }

    void close() {}

    static int refused(Errno errno) {
        return -errno.number();
    }

    /** An eventfd. */
    static final class Counter extends OpenFile {
        private boolean signaled;

        void signal() {
            signaled = true;
        }

        int drain() {
            int result = signaled ? 0 : refused(Errno.EAGAIN);
            signaled = false;
            return result;
        }

        @Override
        boolean isReadable() {
            return signaled;
        }
    }
}
