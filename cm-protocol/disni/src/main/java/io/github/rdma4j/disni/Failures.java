// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.verbs.VerbsObject;
import java.io.IOException;

/** Failures as DiSNI's users know them: they catch {@link IOException} and nothing else, or look at the number of an error. */
final class Failures {
    private static final int EBUSY = 16;

    private Failures() {}

    /** A call of rdma4j. */
    interface Call<T> {
        T make() throws IOException;
    }

    /** A call of rdma4j that returns nothing. */
    interface Step {
        void make() throws IOException;
    }

    /** What {@code call} returns; {@code name} is the function of C, for the message. */
    static <T> T asIo(String name, Call<T> call) throws IOException {
        try {
            return call.make();
        } catch (IllegalStateException
                | IllegalArgumentException
                | IndexOutOfBoundsException
                | UnsupportedOperationException e) {
            throw io(name, e);
        }
    }

    static void asIo(String name, Step step) throws IOException {
        Call<Boolean> call = () -> {
            step.make();
            return true;
        };
        asIo(name, call);
    }

    static IOException io(String name, RuntimeException e) {
        return new IOException(name + ": " + e.getMessage(), e);
    }

    static void requireOpen(boolean open, String what) throws IOException {
        if (!open) {
            throw new IOException(what + " is closed");
        }
    }

    /**
     * Destroys as a function of C does: 0, or the number of the error. What is still in use is destroyed with its last user, where
     * C keeps it for ever.
     */
    static int destroy(VerbsObject object) throws IOException {
        try {
            object.closeWhenUnused();
            return object.isClosed() ? 0 : EBUSY;
        } catch (ErrnoException e) {
            return e.errno().number();
        }
    }
}
