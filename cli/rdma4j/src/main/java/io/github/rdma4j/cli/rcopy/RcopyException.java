// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.rcopy;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.RdmaException;

/** Thrown when a copy cannot continue, with the error number for the peer. */
final class RcopyException extends RdmaException {
    static final int ENOENT = Errno.ENOENT.number();
    static final int EIO = Errno.EIO.number();
    static final int EACCES = Errno.EACCES.number();
    static final int EBUSY = Errno.EBUSY.number();
    static final int EINVAL = Errno.EINVAL.number();

    private static final long serialVersionUID = 1L;

    private final int number;

    RcopyException(int number, String message) {
        super(message);
        this.number = number;
    }

    int number() {
        return number;
    }
}
