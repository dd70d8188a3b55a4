// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.util.List;

/** A test has no result because its guest could not start, or ended. */
final class GuestFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    GuestFailedException(String message) {
        super(message);
        // The stack of the engine tells a reader of a report nothing.
        setStackTrace(new StackTraceElement[0]);
    }

    /** A failure with what the kernel said last. */
    static GuestFailedException of(String sentence, List<String> kernelLines) {
        StringBuilder text = new StringBuilder(sentence);
        if (!kernelLines.isEmpty()) {
            text.append("\nThe last lines of the guest's kernel:");
            kernelLines.forEach(line -> text.append("\n  | ").append(line));
        }
        return new GuestFailedException(text.toString());
    }
}
