// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.host;

/** Data came back other than it went. */
public final class DataMismatchException extends Exception {
    private static final long serialVersionUID = 1L;

    DataMismatchException(String message) {
        super(message);
    }
}
