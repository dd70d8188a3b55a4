// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.util.List;

/** A test without a result, because its guest could not start or has ended. */
final class GuestFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    GuestFailedException(String message) {
        super(message);
        // The stack of the engine does not help a reader of a report.
        setStackTrace(new StackTraceElement[0]);
    }

    /** A failure with the last lines of the kernel. */
    static GuestFailedException of(String sentence, List<String> kernelLines) {
        StringBuilder text = new StringBuilder(sentence);
        if (!kernelLines.isEmpty()) {
            text.append("\nThe last lines of the guest's kernel:");
            kernelLines.forEach(line -> text.append("\n  | ").append(line));
        }
        return new GuestFailedException(text.toString());
    }
}
