// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import org.jspecify.annotations.Nullable;

/**
 * The run has failed: an invariant does not hold, or the run cannot continue. The message describes the observation.
 */
final class SoakFailureException extends Exception {
    private static final long serialVersionUID = 1L;

    /** A failure that speaks for itself. */
    SoakFailureException(String message) {
        super(message);
    }

    /** A failure with its cause, if that is known. */
    SoakFailureException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
