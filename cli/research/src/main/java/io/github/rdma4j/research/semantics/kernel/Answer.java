// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.kernel;

import io.github.rdma4j.kernel.Errno;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The kernel's answer to one command: the result of write(2), or minus the error number, and the bytes of the reply
 * buffer afterwards, in native order.
 */
@SuppressWarnings("ArrayRecordComponent") // a value that is read, never compared
public record Answer(long result, byte[] reply) {
    public boolean isOk() {
        return result >= 0;
    }

    /** {@code OK}, or the name of the error. */
    public String text() {
        return result >= 0 ? "OK" : Errno.ofResult(result).name();
    }

    /** The reply's first word: the handle of CREATE_ID and JOIN, the count of DESTROY, LEAVE and MIGRATE. */
    public int first() {
        if (!isOk()) {
            throw new AssertionError("refused with " + text());
        }
        return buffer().getInt(0);
    }

    /** The reply as a buffer in native order. */
    public ByteBuffer buffer() {
        return ByteBuffer.wrap(reply).order(ByteOrder.nativeOrder());
    }

    /** This answer, which must be a success; {@code what} names the command otherwise. */
    public Answer orFail(String what) {
        if (!isOk()) {
            throw new AssertionError(what + ": " + text());
        }
        return this;
    }

    @Override
    public String toString() {
        return text();
    }
}
