// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MarkedStreamTest {
    /** However the bytes are cut into pieces, also within a mark. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 11, 12, 13, 100})
    void marksAndTextComeInTheirOrder(int piece) throws IOException, InterruptedException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes("before".getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes(Message.MARK);
        bytes.writeBytes(new byte[] {0, 1, 'x'});
        bytes.writeBytes(Message.MARK);
        bytes.writeBytes(Message.MARK);
        List<String> events = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        ByteArrayInputStream pieces = new ByteArrayInputStream(bytes.toByteArray()) {
            @Override
            public int read(byte[] into) {
                return read(into, 0, Math.min(piece, into.length));
            }
        };
        new Worker.MarkedStream(pieces).read(frame -> {
            if (frame.kind() == Message.Kind.MARKED) {
                events.add(text.toString());
                text.setLength(0);
            } else {
                text.append(new String(frame.bytes(0), StandardCharsets.UTF_8));
            }
        });
        assertThat(events).containsExactly("before", "\0\1x", "");
        assertThat(text).isEmpty();
    }
}
