// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Text from the guest, in pieces that may end within a character. */
final class GuestOutput {
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private byte[] rest = {};

    /** Prints the characters that are complete; the thread matters, because build tools attribute output by thread. */
    void print(byte[] bytes, PrintStream out) {
        ByteBuffer in = ByteBuffer.allocate(rest.length + bytes.length);
        in.put(rest).put(bytes).flip();
        CharBuffer text = CharBuffer.allocate(in.remaining());
        decoder.decode(in, text, false);
        rest = new byte[in.remaining()];
        in.get(rest);
        out.print(text.flip().toString());
        out.flush();
    }
}
