// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

/** Bytes from the kernel or from a peer that are not what their format says. */
public final class MalformedReplyException extends RdmaException {
    private static final long serialVersionUID = 1L;

    /** {@code offset} is where the format is broken, {@code length} how many bytes there were. */
    public MalformedReplyException(String what, int offset, int length) {
        super("malformed " + what + " at byte " + offset + " of " + length);
    }
}
