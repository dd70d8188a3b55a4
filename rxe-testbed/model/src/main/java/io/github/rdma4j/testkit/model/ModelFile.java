// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import io.github.rdma4j.kernel.Errno;
import java.nio.ByteBuffer;

/** An open file of the model. Used under the lock of the {@link ModelCalls}; results as those of the calls. */
class ModelFile {
    /** Which file the bytes are for, for faults. */
    ModelCommand.Device device() {
        return ModelCommand.Device.SYSTEM;
    }

    long write(ByteBuffer bytes) {
        return refused(Errno.EINVAL);
    }

    long read(ByteBuffer into) {
        return refused(Errno.EAGAIN);
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
    static final class Counter extends ModelFile {
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

    /** A command that the test has refused; {@code result} is minus the number of the error. */
    long refuse(ByteBuffer bytes, int result) {
        return result;
    }
}
