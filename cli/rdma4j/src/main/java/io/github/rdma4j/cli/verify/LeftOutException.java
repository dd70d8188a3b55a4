// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

/** A check that cannot run here, and why: the device has no such feature, or a program is not installed. */
final class LeftOutException extends Exception {
    private static final long serialVersionUID = 1L;

    LeftOutException(String reason) {
        super(reason);
    }
}
