// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** The standard error of the JVM in the guest: text with marks in it. */
final class MarkedStream {
    private static final int CHUNK = 8192;

    private final InputStream in;
    private byte[] pending = {};

    MarkedStream(InputStream in) {
        this.in = in;
    }

    /** Takes a message. */
    interface Receiver {
        void take(Frame frame) throws InterruptedException;
    }

    /** Reads to the end; text becomes {@code RAW} and marks become {@code MARKED}. */
    void read(Receiver receiver) throws IOException, InterruptedException {
        byte[] chunk = new byte[CHUNK];
        for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
            int before = pending.length;
            pending = Arrays.copyOf(pending, before + read);
            System.arraycopy(chunk, 0, pending, before, read);
            takeApart(receiver);
        }
        text(receiver, pending.length);
    }

    private void takeApart(Receiver receiver) throws InterruptedException {
        int i = 0;
        while (i < pending.length) {
            int length = Math.min(Frame.MARK.length, pending.length - i);
            if (!Arrays.equals(pending, i, i + length, Frame.MARK, 0, length)) {
                i++;
            } else if (length < Frame.MARK.length) {
                // The rest of the mark has not arrived.
                break;
            } else {
                text(receiver, i);
                pending = Arrays.copyOfRange(pending, length, pending.length);
                receiver.take(Frame.of(Frame.Kind.MARKED).build());
                i = 0;
            }
        }
        text(receiver, i);
    }

    private void text(Receiver receiver, int length) throws InterruptedException {
        if (length > 0) {
            receiver.take(Frame.of(Frame.Kind.RAW).raw(Arrays.copyOf(pending, length)));
            pending = Arrays.copyOfRange(pending, length, pending.length);
        }
    }
}
