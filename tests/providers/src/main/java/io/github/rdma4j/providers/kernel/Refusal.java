// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.kernel.Errno;

/** The kernel refuses a command. */
final class Refusal extends Exception {
    private static final long serialVersionUID = 1;

    private final int number;

    Refusal(Errno errno) {
        super(errno.toString(), null, false, false);
        this.number = errno.number();
    }

    /** Minus the error number. */
    int result() {
        return -number;
    }

    static void unless(boolean condition, Errno otherwise) throws Refusal {
        if (!condition) {
            throw new Refusal(otherwise);
        }
    }
}
