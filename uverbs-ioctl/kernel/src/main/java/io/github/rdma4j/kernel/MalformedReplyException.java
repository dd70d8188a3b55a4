// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

/** Thrown when bytes from the kernel or from a peer violate their format. */
public final class MalformedReplyException extends RdmaException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception for {@code what} of {@code length} bytes that is malformed at byte {@code offset}. */
    public MalformedReplyException(String what, int offset, int length) {
        super("malformed " + what + " at byte " + offset + " of " + length);
    }
}
